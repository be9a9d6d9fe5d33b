package build

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionOfACommit(t *testing.T) {
	t.Parallel()
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "9548e8d01c2bb5b8ab42e5d1f0c9a2d8c7b6a594"}
	for want, settings := range map[string][]debug.BuildSetting{
		"devel":                      {{Key: "GOOS", Value: "linux"}},
		"devel-9548e8d01c2b":         {revision, {Key: "vcs.modified", Value: "false"}},
		"devel-9548e8d01c2b+changes": {revision, {Key: "vcs.modified", Value: "true"}},
	} {
		require.Equal(t, want, ofCommit(settings))
	}
}
