package strictjson_test

// This file: what is read and what is refused, beside encoding/json, and what
// reading costs.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/strictjson"
)

func TestRefusedTexts(t *testing.T) {
	t.Parallel()
	nested := func(levels int, inner string) string {
		return strings.Repeat("[", levels) + inner + strings.Repeat("]", levels)
	}
	for _, c := range []struct {
		name, text string
		rule       error
		message    string // in full
	}{
		{"nothing", "", strictjson.ErrSyntax, ""},
		{"white space", " \n", strictjson.ErrSyntax, ""},
		{"cut off", `{"a":`, strictjson.ErrSyntax, ""},
		{"cut off in a word", `nul`, strictjson.ErrSyntax, ""},
		{"an end without a beginning", `]`, strictjson.ErrSyntax, ""},
		{"a name without a value", `{"a"}`, strictjson.ErrSyntax, ""},
		{"a number for a name", `{1:2}`, strictjson.ErrSyntax, ""},
		{"a comma too many", `[1,]`, strictjson.ErrSyntax, ""},
		{"byte order mark", "\ufeff{}", strictjson.ErrSyntax, ""},
		{"control character", "\"a\x01\"", strictjson.ErrSyntax, ""},
		{"no escape", `"\x"`, strictjson.ErrSyntax, ""},
		{"no digits", `"\ud83d\uzzzz"`, strictjson.ErrSyntax, ""},
		{"two values", `{} {}`, strictjson.ErrSyntax, "the text is not one JSON value: something follows the value"},
		{"trailing text", `{}x`, strictjson.ErrSyntax, ""},
		{"invalid UTF-8", "\"\xff\"", strictjson.ErrUTF8, "the text is not valid UTF-8"},
		{"invalid UTF-8 in a name", "{\"\xff\":1}", strictjson.ErrUTF8, ""},
		{"invalid UTF-8 outside of strings", "\xff", strictjson.ErrUTF8, ""},
		{"invalid UTF-8 after the value", "{}\xff", strictjson.ErrUTF8, ""},
		{"surrogate in UTF-8", "\"\xed\xa0\x80\"", strictjson.ErrUTF8, ""},
		{"high surrogate alone", `["x\ud800"]`, strictjson.ErrSurrogate, "the text has half a surrogate pair at byte 3"},
		{"low surrogate alone", `"\udfff"`, strictjson.ErrSurrogate, "the text has half a surrogate pair at byte 1"},
		{"surrogates the wrong way", `"\ude00\ud83d"`, strictjson.ErrSurrogate, "the text has half a surrogate pair at byte 1"},
		{"a surrogate and another character", `"\ud83d\u0041"`, strictjson.ErrSurrogate, "the text has half a surrogate pair at byte 1"},
		{"surrogate in a name", `{"\uD800":1}`, strictjson.ErrSurrogate, ""},
		{"duplicate name", `{"a":1,"a":2}`, strictjson.ErrDuplicateName, "a is there twice"},
		{"duplicate name spelled otherwise", `{"ab":1,"\u0061b":2}`, strictjson.ErrDuplicateName, "ab is there twice"},
		{"U+0000", `"\u0000"`, strictjson.ErrNUL, "the text must not contain U+0000"},
		{"U+0000 in a name", `{"a\u0000":1}`, strictjson.ErrNULInName, "the text has a key with U+0000"},
		{"too deep", nested(strictjson.MaxDepth+1, "1"), strictjson.ErrDepth, "the text is nested deeper than 64 levels"},
		{"too many values", "[" + strings.Repeat("1,", strictjson.MaxValues-1) + "1]", strictjson.ErrValues, "the text has more than 100000 values"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := strictjson.Parse([]byte(c.text))
			require.ErrorIs(t, err, c.rule)
			if c.message != "" {
				require.EqualError(t, err, c.message)
			}
		})
	}
	for name, text := range map[string]string{
		"pair": `"\ud83d\ude00"`, "escaped backslash": `"\\ud800"`, "replacement character": `"\ufffd` + "\ufffd" + `"`, "large number": `1e999`,
		"deep": nested(strictjson.MaxDepth, "1"), "many values": "[" + strings.Repeat("1,", strictjson.MaxValues-2) + "1]", "same name in two objects": `[{"a":1},{"a":{"a":1}}]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := strictjson.Parse([]byte(text))
			require.NoError(t, err)
		})
	}
}

func TestValuesAreCounted(t *testing.T) {
	t.Parallel()
	_, values, err := strictjson.Parse([]byte(`{"a":[1,null,{"b":"x"}],"c":true}`))
	require.NoError(t, err)
	require.Equal(t, 7, values)
}

func TestMembers(t *testing.T) {
	t.Parallel()
	// what nobody reads may be anything that JSON allows
	raw := []byte(` { "a" : "x\u0079" , "n":1.50, "o":{"b":1,"b":[ "\ud800","\u0000" ]}, "z":null, "\u0061b":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + ` } `)
	members, err := strictjson.Members(raw)
	require.NoError(t, err)
	deep := strings.Repeat("[", 1000) + strings.Repeat("]", 1000)
	require.Equal(t, map[string]jsontext.Value{
		"a": jsontext.Value(`"x\u0079"`), "n": jsontext.Value(`1.50`), "o": jsontext.Value(`{"b":1,"b":[ "\ud800","\u0000" ]}`), "z": jsontext.Value(`null`), "ab": jsontext.Value(deep),
	}, members)
	for text, rule := range map[string]error{
		"": io.EOF, `{"a":1`: io.ErrUnexpectedEOF, `[1]`: strictjson.ErrNotObject, `"x"`: strictjson.ErrNotObject, `{"a":1,"\u0061":1}`: strictjson.ErrDuplicateName,
		`{"a":1}{`: strictjson.ErrSyntax, `{"a":1,}`: strictjson.ErrSyntax, `{"a":[}`: strictjson.ErrSyntax, `{"a":x}`: strictjson.ErrSyntax, "{\"a\":\"\xff\"}": strictjson.ErrUTF8,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			_, err := strictjson.Members([]byte(text))
			require.ErrorIs(t, err, rule)
		})
	}
}

func TestString(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{`""`: "", `"\u0061\n\ud83d\ude00\ufffd"`: "a\n😀\ufffd"} {
		text, err := strictjson.String(jsontext.Value(raw))
		require.NoError(t, err)
		require.Equal(t, want, text)
	}
	for raw, rule := range map[string]error{
		`1`: strictjson.ErrNotString, `null`: strictjson.ErrNotString, `{"a":"\u0000"}`: strictjson.ErrNotString,
		`"\u0000"`: strictjson.ErrNUL, `"a\ud800b"`: strictjson.ErrSurrogate, `"\ufffd\ud800"`: strictjson.ErrSurrogate,
	} {
		_, err := strictjson.String(jsontext.Value(raw))
		require.ErrorIs(t, err, rule)
	}
}

// The reader accepts a part of what encoding/json accepts, reads it alike, and
// never panics.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,"b":[true,null,"x"]}`, `{"a":1,"a":2}`, `{"a":{"b":1,"b":1}}`, `[1] 2`, `"\ud800"`, `"\ud83d\ude00"`, `"\\ud800"`,
		`"\u0000"`, "\"\xff\"", `1e999`, `-0`, `[[[[]]]]`, ``, ` `, `nul`, `{"\u0061":1,"a":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		given := bytes.Clone(raw)
		value, _, err := strictjson.Parse(raw)
		require.Equal(t, given, raw, "the text is read and not changed")
		if err != nil {
			var fault *strictjson.Fault
			require.ErrorAs(t, err, &fault)
			require.NotEmpty(t, fault.Rule.Error())
			return
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var want any
		require.NoError(t, d.Decode(&want))
		require.Equal(t, want, value)
	})
}

// Members accepts what encoding/json accepts as an object of raw values, but for
// a name that occurs twice.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[true,null,"x"]}`, `{"a":1,"a":2}`, ` {"a" : "\ud800" } `, `{}x`, `null`, "{\"\xff\":1}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		members, err := strictjson.Members(raw)
		if err != nil {
			var fault *strictjson.Fault
			require.ErrorAs(t, err, &fault)
			return
		}
		var want map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(raw, &want))
		require.Len(t, members, len(want))
		for name, value := range want {
			require.Equal(t, string(value), string(members[name]))
			if text, err := strictjson.String(members[name]); err == nil {
				var same string
				require.NoError(t, json.Unmarshal(value, &same))
				require.Equal(t, same, text)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var params []string
	for i := range 40 {
		params = append(params, fmt.Sprintf(`{"paramId":"3f0c6fd2-98c1-4f8e-a8a5-0f4c1f5d%04d","value":%d.5}`, i, i))
	}
	for _, c := range []struct{ name, text string }{
		{"small", `{"name":"x"}`},
		{"vehicle", `{"equipmentTypeId":"0d9cbb3e-4a47-4c1f-9d0b-3f6a3cbb0c11","brandName":"Экскаватор","modelName":"ZX \"210\" \u00e9","releaseYear":2019,"params":[` + strings.Join(params, ",") + `]}`},
		{"text", `{"name":"` + strings.Repeat("Лорем ipsum dolor sit amet, ", 40_000) + `"}`},
		{"numbers", `[` + strings.Repeat("1,", 90_000) + `1]`},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				_, _, err := strictjson.Parse([]byte(c.text))
				require.NoError(b, err)
			}
		})
	}
}
