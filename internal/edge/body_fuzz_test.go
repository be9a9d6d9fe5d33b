package edge

// This file: the strict reader against encoding/json: it accepts a part of what
// that accepts, reads it alike, and never panics.

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzParseStrict(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,"b":[true,null,"x"]}`, `{"a":1,"a":2}`, `{"a":{"b":1,"b":1}}`, `[1] 2`, `"\ud800"`, `"\ud83d\ude00"`, `"\\ud800"`,
		`"\u0000"`, "\"\xff\"", `1e999`, `-0`, `[[[[]]]]`, ``, ` `, `nul`, `{"\u0061":1,"a":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		value, _, err := parseStrict(raw)
		if err != nil {
			var p *Problem
			require.ErrorAs(t, err, &p)
			require.NotEmpty(t, p.Details)
			return
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var want any
		require.NoError(t, d.Decode(&want))
		require.Equal(t, want, value)
	})
}
