// Tests of the command: it measures a folder, and reports bad input.

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	t.Setenv("EMBEDDINGS_URL", "")
	t.Setenv("EMBEDDINGS_WEIGHTS", "")
	folder := filepath.Join(t.TempDir(), "own")
	require.NoError(t, os.Mkdir(folder, 0o700))
	for name, text := range map[string]string{
		"groups":           `[{"key":"g","name":"Earthmoving"}]`,
		"categories":       `[{"key":"c","group":"g","name":"Excavators"}]`,
		"units":            `[]`,
		"params":           `[]`,
		"tags":             `[]`,
		"types":            `[{"key":"mini","title":"Mini excavator","isActive":true,"categories":["c"]},{"key":"saw","title":"Chainsaw","isActive":true,"categories":["c"]}]`,
		"vehicles":         `[{"key":"a","type":"mini","brandName":"Kubota","modelName":"U17","isActive":true},{"key":"b","type":"saw","brandName":"Stihl","modelName":"MS","isActive":true}]`,
		"search-judgments": `[{"key":"x","query":"mini excavator","category":"lexical","types":{"mini":2}}]`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+".json"), []byte(text), 0o600))
	}
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), []string{"-queries", "-catalogue", folder}, &out))
	require.Contains(t, out.String(), "| overall")
	require.Contains(t, out.String(), `"mini excavator"`)
	require.Contains(t, out.String(), "1.000")
	require.Error(t, run(context.Background(), []string{"-catalogue", folder + "-missing"}, &out))
	require.ErrorContains(t, run(context.Background(), []string{"-goals"}, &out), "EMBEDDINGS_WEIGHTS")
	t.Setenv("EMBEDDINGS_URL", "http://127.0.0.1:1/v1")
	t.Setenv("EMBEDDINGS_LEXICAL_SHARE", "much")
	require.Error(t, run(context.Background(), []string{"-catalogue", folder}, &out), "a bad share")
}
