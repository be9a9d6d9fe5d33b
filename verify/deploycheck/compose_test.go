package deploycheck

// This file: the compose file against the Compose specification, and the
// variables that it sets.

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

// listed are the variables that the programs list in their help.
var listed = sync.OnceValues(func() (map[string]bool, error) {
	out := map[string]bool{"GOMEMLIMIT": true}
	for _, program := range []string{"catalog", "gateway", "indexer", "sandbox"} {
		help := exec.Command("go", "run", "./cmd/"+program, "--help")
		help.Dir = "../.."
		text, err := help.Output()
		if err != nil {
			return nil, fmt.Errorf("%s --help: %w", program, err)
		}
		_, table, _ := strings.Cut(string(text), "Environment variable")
		for _, match := range regexp.MustCompile(`(?m)^([A-Z_]+) `).FindAllStringSubmatch(table, -1) {
			out[match[1]] = true
		}
	}
	return out, nil
})

func variables(t *testing.T) map[string]bool {
	t.Helper()
	out, err := listed()
	require.NoError(t, err)
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
	var ours []string
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
		ours = append(ours, name)
		require.Contains(t, string(dockerfile), " AS "+service.Build.Target+"\n", name)
		require.True(t, service.ReadOnly, name)
		require.Equal(t, []string{"ALL"}, service.CapDrop, name)
		require.NotContains(t, []string{"", "0", "root"}, service.User, name)
		for variable := range service.Environment {
			require.True(t, known[variable] || strings.HasPrefix(variable, "OTEL_"), "%s: no program knows %s", name, variable)
		}
	}
	require.ElementsMatch(t, []string{"migrate", "catalog", "indexer", "sandbox", "gateway", "web"}, ours)
}

// Who signs in at the provider is sent from the browser to an address that the
// gateway talks to as well: one name and port, published on this machine.
func TestComposeProviderIsReachedFromBothSides(t *testing.T) {
	t.Parallel()
	p := project(t)
	gateway := p.Services["gateway"]
	sandbox := p.Services["sandbox"]
	_, port, ok := strings.Cut(*sandbox.Environment["HTTP_ADDR"], ":")
	require.True(t, ok)
	at := func(variable string) *url.URL {
		t.Helper()
		u, err := url.Parse(*gateway.Environment[variable])
		require.NoError(t, err)
		require.Equal(t, port, u.Port(), variable)
		return u
	}
	for _, variable := range []string{"PROVIDER_URL", "LOGISTICS_URL", "WAYBILL_URL", "TRANSPORT_URL"} {
		require.Equal(t, "sandbox", at(variable).Hostname(), variable)
	}
	issuer := at("PROVIDER_OIDC_ISSUER").Hostname()
	require.True(t, strings.HasSuffix(issuer, ".localhost"), "no browser takes %s for this machine", issuer)
	require.Contains(t, gateway.Networks, "services")
	require.Contains(t, sandbox.Networks["services"].Aliases, issuer)
	require.Len(t, sandbox.Ports, 1)
	published := sandbox.Ports[0]
	require.Equal(t, []string{"127.0.0.1", port, port}, []string{published.HostIP, published.Published, fmt.Sprint(published.Target)})

	back, err := url.Parse(*gateway.Environment["PROVIDER_REDIRECT_URI"])
	require.NoError(t, err)
	web := p.Services["web"].Ports[0]
	require.Equal(t, back.Host, web.HostIP+":"+web.Published, "people come back to the web app")
}

// The services believe the web server, and nobody else in their network.
func TestComposeTrustsTheWebServer(t *testing.T) {
	t.Parallel()
	p := project(t)
	web := p.Services["web"].Networks["services"].Ipv4Address
	require.NotEmpty(t, web)
	for _, name := range []string{"catalog", "gateway"} {
		require.Equal(t, web+"/32", *p.Services[name].Environment["TRUSTED_PROXIES"], name)
	}
	pool := p.Networks["services"].Ipam.Config[0]
	_, subnet, err := net.ParseCIDR(pool.Subnet)
	require.NoError(t, err)
	_, given, err := net.ParseCIDR(pool.IPRange)
	require.NoError(t, err)
	require.True(t, subnet.Contains(net.ParseIP(web)))
	require.False(t, given.Contains(net.ParseIP(web)), "no other container gets its address")
}

// The web app of a deployment has no ready-made tokens: people sign in.
func TestWebSettings(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../deploy/web/settings.json")
	require.NoError(t, err)
	var settings map[string]any
	require.NoError(t, json.Unmarshal(raw, &settings))
	require.Equal(t, map[string]any{"catalogUrl": "/catalog", "gatewayUrl": "/gateway"}, settings)
}

// A password that nobody set must not become an empty one.
func TestComposeWantsAPassword(t *testing.T) {
	t.Parallel()
	options, err := cli.NewProjectOptions([]string{"../../deploy/compose.yaml"})
	require.NoError(t, err)
	_, err = options.LoadProject(t.Context())
	require.ErrorContains(t, err, "POSTGRES_PASSWORD")
}
