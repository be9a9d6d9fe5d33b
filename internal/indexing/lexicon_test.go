package indexing_test

// This file: an operator's changed terms reach the vectors that they touch.

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
	"equipment-platform/internal/embedding"
)

func TestChangedTermsEmbedAnewWhatTheyTouch(t *testing.T) {
	t.Parallel()
	f := setup(t)
	touched, other := f.vehicle(t, "Glimmer", true), f.vehicle(t, "U17", true)
	run := func(e *spy, until func() bool) {
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- f.indexer(e).Run(ctx) }()
		require.Eventually(t, until, 30*time.Second, 10*time.Millisecond)
		stop()
		require.NoError(t, <-ended)
	}
	nothingWaits := func() bool {
		var ready bool
		err := f.db.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM index_models WHERE current) AND NOT EXISTS (SELECT FROM index_outbox)").Scan(&ready)
		return err == nil && ready
	}
	run(newSpy("m"), nothingWaits)
	before := f.indexed(t, "m")
	require.Len(t, before, 2)

	file := filepath.Join(t.TempDir(), "own.txt")
	require.NoError(t, os.WriteFile(file, []byte("glimmer-press : glimmer\n"), 0o600))
	with, err := embedding.New(config.Embeddings{Lexicon: file}, nil)
	require.NoError(t, err)
	e := &spy{Embedder: with, name: "m"}
	run(e, func() bool { return f.indexed(t, "m")[touched] != before[touched] && nothingWaits() })
	require.Equal(t, before[other], f.indexed(t, "m")[other])
	require.EqualValues(t, 1, e.texts.Load(), "the other one is not embedded again")
}
