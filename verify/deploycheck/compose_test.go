package deploycheck

// This file: the compose file against the Compose specification, and the
// variables that it sets.

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

// variables are those that the programs know, as their settings declare them.
func variables(t *testing.T) map[string]bool {
	t.Helper()
	source, err := os.ReadFile("../../internal/config/settings.go")
	require.NoError(t, err)
	out := map[string]bool{"GOMEMLIMIT": true}
	for _, match := range regexp.MustCompile("`env:\"([A-Z_]+)").FindAllStringSubmatch(string(source), -1) {
		out[match[1]] = true
	}
	require.Greater(t, len(out), 40)
	return out
}

func project(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../../deploy/compose.yaml"}, cli.WithEnv([]string{"POSTGRES_PASSWORD=secret"}), cli.WithProfiles([]string{"*"}))
	require.NoError(t, err)
	p, err := options.LoadProject(t.Context()) // validates against the specification's schema
	require.NoError(t, err)
	return p
}

func TestCompose(t *testing.T) {
	t.Parallel()
	p := project(t)
	dockerfile, err := os.ReadFile("../../deploy/Dockerfile")
	require.NoError(t, err)
	known := variables(t)
	ours := 0
	for name, service := range p.Services {
		for _, volume := range service.Volumes {
			if volume.Type == types.VolumeTypeBind && !strings.HasSuffix(volume.Source, "/keys") { // made by the person who starts it
				require.FileExists(t, volume.Source, name)
			}
		}
		if service.Build == nil {
			require.Regexp(t, `:\S*\d`, service.Image, "%s: every image has a version", name)
			continue
		}
		ours++
		require.Contains(t, string(dockerfile), " AS "+service.Build.Target+"\n", name)
		require.True(t, service.ReadOnly, name)
		require.Equal(t, []string{"ALL"}, service.CapDrop, name)
		require.NotContains(t, []string{"", "0", "root"}, service.User, name)
		for variable := range service.Environment {
			require.True(t, known[variable] || strings.HasPrefix(variable, "OTEL_"), "%s: no program knows %s", name, variable)
		}
	}
	require.Equal(t, 7, ours)
}

// A password that nobody set must not become an empty one.
func TestComposeWantsAPassword(t *testing.T) {
	t.Parallel()
	options, err := cli.NewProjectOptions([]string{"../../deploy/compose.yaml"})
	require.NoError(t, err)
	_, err = options.LoadProject(t.Context())
	require.ErrorContains(t, err, "POSTGRES_PASSWORD")
}
