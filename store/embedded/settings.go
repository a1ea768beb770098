package embedded

// tunables are written into a new cluster's postgresql.conf and are the
// owner's from then on.
const tunables = `
# Rostrum's choices for a new cluster; change them as you like. What Rostrum
# relies on (durability, the socket, no network) it sets at each start.
max_connections = 200
shared_buffers = '192MB'
timezone = 'UTC'
log_timezone = 'UTC'
`

// lastingSettings are given at each start, where no file overrules them: an
// accepted bid must survive a power cut, and nobody may come in by the network.
func (c *Cluster) lastingSettings() []string {
	return []string{
		"-c", "fsync=on",
		"-c", "full_page_writes=on",
		"-c", "synchronous_commit=on",
		"-c", "listen_addresses=",
		"-c", "port=5432",
		"-c", "unix_socket_directories=" + c.socket,
		"-c", "log_destination=stderr",
		"-c", "logging_collector=off",
	}
}
