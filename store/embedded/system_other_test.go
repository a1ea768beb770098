//go:build !linux

package embedded

func forbidNamespaces() error { return nil }
