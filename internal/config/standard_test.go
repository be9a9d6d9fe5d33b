package config

// This file: variables that a library reads by itself.

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStandardVariablesOfTheFile(t *testing.T) {
	t.Parallel()
	const fromFile, other, alreadySet = "OTEL_TEST_OF_THE_FILE", "TEST_OF_THE_FILE", "OTEL_TEST_ALREADY_SET"
	require.NoError(t, os.Setenv(alreadySet, "environment")) //nolint:usetesting // t.Setenv forbids parallel tests; nobody else has this name
	t.Cleanup(func() { _, _ = os.Unsetenv(fromFile), os.Unsetenv(alreadySet) })
	require.NoError(t, exportStandard(map[string]string{fromFile: "file", other: "file", alreadySet: "file"}))
	require.Equal(t, "file", os.Getenv(fromFile))
	require.Equal(t, "environment", os.Getenv(alreadySet), "the environment wins")
	_, set := os.LookupEnv(other)
	require.False(t, set, "only what others read there")
}
