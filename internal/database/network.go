package database

// This file: errors of the connection itself.

import (
	"errors"
	"io"
	"net"
)

// isNetwork reports whether an error comes from the connection itself.
func isNetwork(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}
