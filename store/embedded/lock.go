package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// enterGate waits until no other process starts or stops a cluster in the data
// directory, and keeps others from it until the file is unlocked.
func (c *Cluster) enterGate(ctx context.Context) (*os.File, error) {
	gate, err := lock(ctx, filepath.Join(c.dir, "postgresql.lock"), exclusive)
	switch {
	case err == nil:
		return gate, nil
	case errors.Is(err, ctx.Err()):
		return nil, fmt.Errorf("another process is still starting or stopping PostgreSQL in %s: %w", c.dir, err)
	}
	return nil, unusable(c.dir, err)
}

// lock opens the file, making it where it is missing, and waits for the lock.
// It asks again and again because a blocking flock could not be given up when
// ctx ends.
func lock(ctx context.Context, path string, how mode) (*os.File, error) {
	file, err := openLock(path)
	if err != nil {
		return nil, err
	}
	for {
		held, err := flock(file, how)
		if held {
			return file, nil
		}
		if err == nil {
			err = sleep(ctx, 10*time.Millisecond)
		}
		if err != nil {
			file.Close()
			return nil, err
		}
	}
}

// tryLock returns nil where others hold the lock.
func tryLock(path string) (*os.File, error) {
	file, err := openLock(path)
	if err != nil {
		return nil, err
	}
	if held, err := flock(file, exclusive); !held {
		file.Close()
		return nil, err
	}
	return file, nil
}

// openLock gives the file to the folder's owner: one that root made in
// somebody's folder would lock them out of their own house.
func openLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := giveToOwnerOf(filepath.Dir(path), path); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
