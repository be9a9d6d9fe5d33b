package edge_test

// This file: the Authorization header, and the roles of the spec.

import (
	"net/http"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/contract"
)

func TestAuthorizationHeader(t *testing.T) {
	t.Parallel()
	c := start(t, optionsOf(t), func(c echo.Context) error {
		return c.String(http.StatusOK, auth.FromContext(c.Request().Context()).Subject)
	})
	good := token(t, "me")
	for name, ok := range map[string]struct {
		values []string
		sub    string
	}{
		"none": {nil, ""}, "usual": {[]string{"Bearer " + good}, "me"}, "lower case": {[]string{"bearer " + good}, "me"}, "upper case": {[]string{"BEARER " + good}, "me"},
		"spaces": {[]string{"BeArEr   " + good + " "}, "me"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := get(t, c, "GET", things, http.Header{"Authorization": ok.values}).Is(200)
			require.Equal(t, ok.sub, string(a.Body))
		})
	}
	for _, bad := range [][]string{
		{""}, {" "}, {"Bearer"}, {"Bearer "}, {good}, {"Basic dTpw"}, {"Basic " + good}, {"Token " + good}, {"Bearer" + good}, {"Bearer: " + good},
		{"Bearer " + good + " x"}, {"Bearer " + good + "," + good}, {"Bearer " + good, "Bearer " + good}, {"Bearer " + good, ""}, {"Bearer x"}, {"Bearer null"}, {"Bearer \"" + good + "\""},
	} {
		t.Run(strings.ReplaceAll(strings.Join(bad, " and "), good, "TOKEN"), func(t *testing.T) {
			t.Parallel()
			a := get(t, c, "GET", things, http.Header{"Authorization": bad}).Fails(401, "unauthorized")
			require.Regexp(t, `^Bearer realm="[^"]+", error="invalid_token", error_description="[^"]+"$`, a.Header.Get("WWW-Authenticate"))
			require.NotContains(t, string(a.Body), good)
		})
	}
	a := get(t, c, "POST", things, nil).Fails(401, "unauthorized")
	require.Equal(t, `Bearer realm="equipment-platform"`, a.Header.Get("WWW-Authenticate"), "no reason where no token was sent")
}

func TestRoleRules(t *testing.T) {
	t.Parallel()
	c := start(t, optionsOf(t), nil)
	for _, x := range []struct {
		roles  []string
		status int
	}{{nil, 403}, {[]string{"USER"}, 403}, {[]string{"ADMIN"}, 200}, {[]string{"ROLE_ADMIN"}, 200}, {[]string{"admin"}, 403}, {[]string{"ADMIN", "BANNED"}, 403}, {[]string{"BANNED"}, 403}} {
		t.Run(strings.Join(x.roles, " and "), func(t *testing.T) {
			t.Parallel()
			c.As(token(t, "me", x.roles...)).Do(t, "POST", things, map[string]any{"name": "x"}).Is(x.status)
		})
	}
	c.As(token(t, "me", "ADMIN")).Do(t, "POST", things, []byte("nonsense")).Fails(400, "validation_failed", "body")
	c.As(token(t, "me")).Do(t, "POST", things, []byte("nonsense")).Fails(403, "forbidden")
	c.Do(t, "POST", things, []byte("nonsense")).Fails(401, "unauthorized")
	_, err := contract.RoleGroup(specOf(t), "NOBODY")
	require.Error(t, err)
}

func TestDeprecatedOperations(t *testing.T) {
	t.Parallel()
	c := start(t, optionsOf(t), nil)
	require.Equal(t, "@1767225600", c.Do(t, "GET", things+"/1", nil).Is(200).Header.Get("Deprecation"))
	require.Empty(t, c.Do(t, "GET", things, nil).Is(200).Header.Get("Deprecation"))
	require.Empty(t, c.As("nonsense").Do(t, "GET", things+"/1", nil).Fails(401, "unauthorized").Header.Get("Deprecation"))
}
