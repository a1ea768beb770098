package store

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The cost of a hash: argon2id with 19 MiB, two passes, one lane, as OWASP's
// Password Storage Cheat Sheet has it. About 25 ms on one core.
const (
	memoryKiB = 19 * 1024
	passes    = 2
	lanes     = 1
	saltBytes = 16
	hashBytes = 32
)

var encoding = base64.RawStdEncoding

// hasher bounds how many hashes are made at the same time, so that a crowd
// signing in takes neither all processors nor all memory.
type hasher chan struct{}

func newHasher() hasher { return make(hasher, runtime.GOMAXPROCS(0)) }

// hash makes the PHC string of a password with a fresh salt.
func (h hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	rand.Read(salt) // never fails: crypto/rand ends the program instead
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer h.leave()
	sum := argon2.IDKey([]byte(password), salt, passes, memoryKiB, lanes, hashBytes)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memoryKiB, passes, lanes,
		encoding.EncodeToString(salt), encoding.EncodeToString(sum)), nil
}

// verify says whether a password is the one that a PHC string was made of. An
// empty string takes as long and matches nothing, so that the time does not
// tell which accounts there are.
func (h hasher) verify(ctx context.Context, phc, password string) (bool, error) {
	var version, memory, time int
	var threads uint8
	var sum []byte
	salt := make([]byte, saltBytes)
	parts := strings.Split(phc, "$")
	known := len(parts) == 6 && parts[1] == "argon2id"
	if known {
		_, err1 := fmt.Sscanf(parts[2]+parts[3], "v=%dm=%d,t=%d,p=%d", &version, &memory, &time, &threads)
		saltText, err2 := encoding.DecodeString(parts[4])
		sumText, err3 := encoding.DecodeString(parts[5])
		if err1 != nil || err2 != nil || err3 != nil || version != argon2.Version {
			return false, fmt.Errorf("a stored password hash cannot be read")
		}
		salt, sum = saltText, sumText
	} else {
		memory, time, threads = memoryKiB, passes, lanes
	}
	if err := h.enter(ctx); err != nil {
		return false, err
	}
	defer h.leave()
	made := argon2.IDKey([]byte(password), salt, uint32(time), uint32(memory), threads, hashBytes)
	return known && subtle.ConstantTimeCompare(made, sum) == 1, nil
}

func (h hasher) enter(ctx context.Context) error {
	select {
	case h <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h hasher) leave() { <-h }
