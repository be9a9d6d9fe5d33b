// What a dead letter says about the value that was refused.

package events_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/config"
	"equipment-platform/internal/events"
)

func TestRefusedValues(t *testing.T) {
	t.Parallel()
	settings, err := config.From[config.DLQ](nil)
	require.NoError(t, err)
	orders := events.Streams(settings.Kafka, nil)[1]
	replace := func(old, new string) []byte {
		require.Contains(t, goodOrder, old)
		return []byte(strings.Replace(goodOrder, old, new, 1))
	}
	for name, c := range map[string]struct {
		value []byte
		says  string
	}{
		"no value":             {nil, `value is null`},
		"empty":                {[]byte{}, `malformed JSON: it ends too early`},
		"cut off":              {[]byte(goodOrder[:40]), `malformed JSON: it ends too early`},
		"no JSON":              {[]byte(`{orderId}`), `malformed JSON: `},
		"no object":            {[]byte(`[1]`), `value is not a JSON object`},
		"more than one":        {[]byte(goodOrder + `{}`), `malformed JSON: something follows the value`},
		"invalid UTF-8":        {replace(`"Done"`, "\"D\xffne\""), `value is not valid UTF-8`},
		"a field twice":        {replace(`"status"`, `"status":"x","st\u0061tus"`), `field "status" occurs twice`},
		"a field missing":      {replace(`"status":"Done",`, ``), `field "status" is missing`},
		"null":                 {replace(`"Done"`, `null`), `field "status" is missing`},
		"a number":             {replace(`"Done"`, `5`), `field "status" is not a string`},
		"an object":            {replace(`"Done"`, `{"a":"\u0000"}`), `field "status" is not a string`},
		"an empty text":        {replace(`"Done"`, `""`), `field "status" is empty`},
		"a long text":          {replace(`"Done"`, `"`+strings.Repeat("ж", 256)+`"`), `field "status" is longer than 255 characters`},
		"U+0000":               {replace(`"Done"`, `"\u0000"`), `field "status" holds the character U+0000`},
		"half a pair":          {replace(`"Done"`, `"\ufffd\ud800"`), `field "status" holds half of a surrogate pair`},
		"half a pair of an id": {replace(`"good"`, `"\udc00"`), `field "eventId" holds half of a surrogate pair`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := orders.Prepare(c.value)
			require.ErrorContains(t, err, c.says)
		})
	}
	// whatever JSON allows in a field that nobody reads, and a character of replacement that the sender wrote
	for name, value := range map[string][]byte{
		"unknown fields":        replace(`{`, `{"new":{"a":1,"a":["\ud800","\u0000",1e999]},"more":`+strings.Repeat("[", 500)+strings.Repeat("]", 500)+`,`),
		"replacement character": replace(`"Done"`, `"\ufffd`+"\ufffd"+`"`),
		"longest text":          replace(`"Done"`, `"`+strings.Repeat("ж", 255)+`"`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := orders.Prepare(value)
			require.NoError(t, err)
		})
	}
}
