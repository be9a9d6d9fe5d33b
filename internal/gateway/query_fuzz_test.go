package gateway

// This file: whatever stands in a Query string, no spelling of a box id travels
// on, and what does is read again as the same.

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzParseQuery(f *testing.F) {
	for _, seed := range []string{
		"inn=1&kpp=2", "boxId=x", "%62oxId=x", "BOXID=x&myBoxid=y", "a;b", "a=%zz", "a=%00", "=", "&&", "a=b=c", "a+b=c%2Bd", "flag", "\xff", "%ff=1",
	} {
		f.Add(seed)
	}
	op := &operation{hasQuery: true, elsewhere: []string{"messageId"}}
	f.Fuzz(func(t *testing.T, raw string) {
		q, _, details := readQuery("Query="+url.QueryEscape(raw), op)
		if len(details) > 0 {
			return
		}
		req := httptest.NewRequest("GET", "/", nil)
		require.NoError(t, q.passOn(t.Context(), req))
		sent, err := url.ParseQuery(req.URL.RawQuery)
		require.NoError(t, err)
		for name := range sent {
			require.False(t, strings.EqualFold(name, "boxId") || strings.EqualFold(name, "myBoxId") || strings.EqualFold(name, "messageId"), name)
		}
		given, err := url.ParseQuery(raw)
		require.NoError(t, err)
		for name, values := range sent {
			require.Equal(t, given[name], values)
		}
	})
}
