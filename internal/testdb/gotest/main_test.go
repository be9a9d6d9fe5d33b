// Tests of the counting, on what go test says in the cases that matter.

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestReport(t *testing.T) {
	t.Parallel()
	var report report
	var out strings.Builder
	require.NoError(t, report.read(strings.NewReader(`{"Action":"start","Package":"a"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"chatter\n"}
{"Action":"pass","Package":"a","Test":"TestGood","Elapsed":0.1}
{"Action":"output","Package":"a","Test":"TestBad","Output":"    want 1, got 2\n"}
{"Action":"fail","Package":"a","Test":"TestBad","Elapsed":0.1}
{"Action":"skip","Package":"a","Test":"TestLater"}
{"Action":"fail","Package":"a","Elapsed":0.3}
{"Action":"build-output","ImportPath":"b","Output":"b.go:1: undefined: x\n"}
{"Action":"fail","Package":"b","Elapsed":0}
{"Action":"output","Package":"p","Test":"TestPanics","Output":"panic: no\n"}
{"Action":"fail","Package":"p","Elapsed":0}
{"Action":"skip","Package":"c","Elapsed":0}
{"Action":"pass","Package":"d","Elapsed":0}
not an event
`), &out))
	require.Equal(t, "failed: a TestBad\nfailed: b (whole package)\nfailed: p (whole package)\n"+
		"Go tests: 1 passed, 3 failed, 1 skipped in 4 packages (2s)", report.summary(2*time.Second))
	for _, line := range []string{"want 1, got 2", "undefined: x", "panic: no", "not an event", "skipped: a TestLater", "ok       0.00s  d"} {
		require.Contains(t, out.String(), line)
	}
	require.NotContains(t, out.String(), "chatter")
}
