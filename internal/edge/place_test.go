package edge

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A long key with many values below it: their places must not be written out one
// by one. It took 45 GB of texts.
func TestLongKeysAreNotMultiplied(t *testing.T) { //nolint:paralleltest // what others allocate would count here
	body := []byte(`{"` + strings.Repeat("k", 500_000) + `":[` + strings.Repeat("1,", 90_000) + `1]}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := parseStrict(body)
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<30))
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 200)
	for body, place := range map[string]string{
		`"\u0000"`:                         "body",
		`["a","\u0000"]`:                   "[1]",
		`{"a":{"b":[1,{"c":"\u0000"}]}}`:   "a.b[1].c",
		`{"a":{"b":1,"b":2}}`:              "a.b",
		`{"":{"":"\u0000"}}`:               "body",
		`[[{"a":1,"a":1}]]`:                "[0][0].a",
		`{"a":[{"b\u0000":1}]}`:            "a[0]",
		`{"` + long + `":["\u0000"]}`:      strings.Repeat("é", 100) + "…[0]",
		`{"x` + long + `":{"y":"\u0000"}}`: "x" + strings.Repeat("é", 99) + "….y",
	} {
		_, _, err := parseStrict([]byte(body))
		var p *Problem
		require.ErrorAs(t, err, &p, body)
		require.Contains(t, p.Details, place, body)
	}
}
