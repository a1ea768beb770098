package embedded

// tunables are written into a new cluster's postgresql.conf, and are its
// owner's from then on. JIT is off because the judge of bids forbids sequential
// scans: one that cannot be avoided looks costly enough to be compiled each time.
const tunables = `
# Rostrum's choices for a new cluster; change them as you like. What it relies
# on (durability, the socket, no network) it sets at each start.
max_connections = 200
shared_buffers = '192MB'
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
`

// arguments hold the settings that no file may overrule: an accepted bid
// survives a power cut, and nobody comes in by the network.
func (c *Cluster) arguments() []string {
	return []string{
		"-D", c.data(),
		"-c", "fsync=on",
		"-c", "full_page_writes=on",
		"-c", "synchronous_commit=on",
		"-c", "listen_addresses=",
		"-c", "unix_socket_directories=" + c.socket,
		"-c", "port=5432",
		"-c", "log_destination=stderr",
		"-c", "logging_collector=off",
	}
}
