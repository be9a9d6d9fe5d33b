package strictjson_test

// This file: the names of the values that are refused.

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/strictjson"
)

// A long key with many values below it: their paths must not be written out one
// by one. It took 45 GB of texts.
func TestLongKeysAreNotMultiplied(t *testing.T) { //nolint:paralleltest // what others allocate would count here
	body := []byte(`{"` + strings.Repeat("k", 500_000) + `":[` + strings.Repeat("1,", 90_000) + `1]}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := strictjson.Parse(body)
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
}

func TestPaths(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 200)
	for text, path := range map[string]strictjson.Path{
		`"\u0000"`:                         "",
		`["a","\u0000"]`:                   "[1]",
		`{"a":{"b":[1,{"c":"\u0000"}]}}`:   "a.b[1].c",
		`{"a":{"b":1,"b":2}}`:              "a.b",
		`{"":{"":"\u0000"}}`:               "",
		`{"a":{"":"\u0000"}}`:              "a.",
		`[[{"a":1,"a":1}]]`:                "[0][0].a",
		`{"a":[{"b\u0000":1}]}`:            "a[0]",
		`{"a":[{},{"0":["x","\u0000"]}]}`:  "a[1].0[1]", // a member may have a number for a name
		`{"a/b":{"~1":{"x":1,"x":2}}}`:     "a/b.~1.x",
		`{"` + long + `":["\u0000"]}`:      strictjson.Path(strings.Repeat("é", 100) + "…[0]"),
		`{"x` + long + `":{"y":"\u0000"}}`: strictjson.Path("x" + strings.Repeat("é", 99) + "….y"),
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			_, _, err := strictjson.Parse([]byte(text))
			var fault *strictjson.Fault
			require.ErrorAs(t, err, &fault)
			require.Equal(t, path, fault.Path)
		})
	}
}
