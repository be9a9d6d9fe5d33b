package blank_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/blank"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, unseen := range []rune{
		' ', '\t', '\n', 0x00A0, 0x0085, 0x1680, 0x2003, 0x2028, 0x202F, 0x205F, 0x3000, // white space
		0x00AD, 0x034F, 0x061C, 0x180B, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x202E, 0x2060, 0x2064, 0x2065, 0x206F, 0xFEFF, 0xFE0F, 0xFFF0, 0xFFF9,
		0x1D173, 0xE0001, 0xE0020, 0xE0100, 0xE0FFF, // default ignorable
		0x115F, 0x1160, 0x17B4, 0x3164, 0xFFA0, // fillers
		0x2800, 0x1D159,
	} {
		require.True(t, blank.Text(string(unseen)), "%U", unseen)
		require.True(t, blank.Text(" "+string(unseen)+"\u200b"), "%U", unseen)
		require.False(t, blank.Text(string(unseen)+"x"), "%U", unseen)
	}
	require.True(t, blank.Text(""))
	for _, seen := range []string{"!", "~", "0", "\x00", "\x01", "\x7f", "é", "Ж", "漢", "\u0301", "\u0600", "\u2801", "\uFFFC", "\uFFFD", "\uE000", "👩\u200d🔧", "\xff"} {
		require.False(t, blank.Text(seen), "%q", seen)
	}
}
