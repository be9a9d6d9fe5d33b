// Command withpostgres runs a command with one throw-away PostgreSQL for all of
// it, as `make test` does: `withpostgres -- go test ./...`. The server's address
// is in TEST_DATABASE_URL; when that is set already, nothing is started. With
// `-broker` it is the same with a broker and KAFKA_BROKERS.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"equipment-platform/internal/embedded"
	"equipment-platform/internal/testdb"
)

const brokersVariable = "KAFKA_BROKERS"

func main() {
	arguments := os.Args[1:]
	broker := len(arguments) > 0 && arguments[0] == "-broker"
	if broker {
		arguments = arguments[1:]
	}
	if len(arguments) > 0 && arguments[0] == "--" {
		arguments = arguments[1:]
	}
	if len(arguments) == 0 {
		fmt.Fprintln(os.Stderr, "usage: withpostgres [-broker] -- command [argument...]")
		os.Exit(2)
	}
	code, err := run(arguments, broker)
	if err != nil {
		fmt.Fprintln(os.Stderr, "withpostgres:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// run returns the command's exit code.
func run(arguments []string, withBroker bool) (code int, err error) {
	// Signals are for the command: it ends in its own way, then the server goes.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	cmd := exec.Command(arguments[0], arguments[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = os.Environ()
	if os.Getenv(testdb.Variable) == "" {
		instance, err := testdb.StartInstance(context.Background())
		if err != nil {
			return 1, err
		}
		defer func() { err = errors.Join(err, instance.Stop()) }()
		cmd.Env = append(cmd.Env, testdb.Variable+"="+instance.URL())
	}
	if withBroker && os.Getenv(brokersVariable) == "" {
		broker, err := embedded.StartBroker(context.Background(), embedded.BrokerOptions{})
		if err != nil {
			return 1, err
		}
		defer broker.Stop()
		cmd.Env = append(cmd.Env, brokersVariable+"="+broker.Address())
	}
	select {
	case <-signals: // stopped while the server was starting
		return 130, nil
	default:
	}
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case received := <-signals:
				_ = cmd.Process.Signal(received)
			case <-ended:
				return
			}
		}
	}()
	err = cmd.Wait()
	close(ended)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if code := exit.ExitCode(); code > 0 {
			return code, nil
		}
		return 1, fmt.Errorf("%s: %w", arguments[0], err) // ended by a signal
	}
	return 0, err
}
