// Tests of amounts: which numbers and comparisons are read, and that waves say how
// well a value serves.

package embedding

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadAmounts(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for _, tt := range []struct {
		give      string
		name      string
		low, high float64
	}{
		{"25 т", "mass", 25, 25},
		{"25-тонный", "mass", 25, 25},
		{"25 тонн", "mass", 25, 25},
		{"60 tonnes", "mass", 60, 60},
		{"900 kg", "mass", 0.9, 0.9},
		{"20 метров", "length", 20, 20},
		{"300 mm", "length", 0.3, 0.3},
		{`pipe 4" wide`, "length", 0.1016, 0.1016},
		{"9 m3", "volume", 9, 9},
		{"9 м³", "volume", 9, 9},
		{"10 куб. м", "volume", 10, 10},
		{"3 cubic metres", "volume", 3, 3},
		{"6 кубических метров", "volume", 6, 6},
		{"10 кубов", "volume", 10, 10},
		{"10 000 л", "volume", 10, 10},
		{"10,000 litres", "volume", 10, 10},
		{"72 m3/h", "flow", 72, 72},
		{"10 м3/мин", "flow", 600, 600},
		{"80 кубов в час", "flow", 80, 80},
		{"1000 litres per hour", "flow", 1, 1},
		{"90 л/мин", "flow", 5.4, 5.4},
		{"300 листов в час", "pieces", 300, 300},
		{"40 pages per minute", "pieces", 2400, 2400},
		{"6000 bph", "pieces", 6000, 6000},
		{"16-канальный", "channels", 16, 16},
		{"100 Мбит/с", "data rate", 100, 100},
		{"60 fps", "frames", 60, 60},
		{"20 м/ч", "speed", 0.02, 0.02},
		{"двенадцать метров", "length", 12, 12},
		{"48 л/сутки", "flow", 0.002, 0.002},
		{"5 т/ч", "rate", 5, 5},
		{"100 kVA", "power", 80, 80},
		{"300 л.с.", "power", 220.65, 220.65},
		{"40 km/h", "speed", 40, 40},
		{"40 km", "distance", 40, 40},
		{"150 m2", "area", 150, 150},
		{"на 6 человек", "people", 6, 6},
		{"12 ц", "mass", 1.2, 1.2},
		{"3500 lbs", "mass", 1.5876, 1.5876},
		{"20 yards", "length", 18.288, 18.288},
		{"80 мкм", "length", 8e-5, 8e-5},
		{"10 miles", "distance", 16.09, 16.09},
		{"at least 400 sq ft", "area", 37.16, inf},
		{"500 gallons", "volume", 1.8925, 1.8925},
		{"120 gpm", "flow", 27.252, 27.252},
		{"до 185 cfm", "flow", 0, 314.315},
		{"40 га/ч", "area rate", 4e5, 4e5},
		{"4000 psi", "pressure", 275.8, 275.8},
		{"600 кПа", "pressure", 6, 6},
		{"35 mph", "speed", 56.315, 56.315},
		{"1500 rpm", "rotation", 1500, 1500},
		{"3000 об/мин", "rotation", 3000, 3000},
		{"не более 60 дБ", "sound", 0, 60},
		{"below 30 °C", "temperature", 0, 30},
		{"300 dpi", "resolution", 300, 300},
		{"2.4 GHz", "frequency", 2.4e9, 2.4e9},
		{"уклон 45%", "share", 45, 45},
		{"10th floor", "length", 31, 31},
		{"третий этаж", "length", 10, 10},
		{"twentieth floor", "length", 61, 61},
		{"20 to 22 tonne", "mass", 20, 22},
		{"20-22 t", "mass", 20, 22},
		{"between 5 and 10 kW", "power", 5, 10},
		{"from 500 kg to 2 t", "mass", 0.5, 2},
		{"от 15 до 30 квт", "power", 15, 30},
		{"heavier than 35 t", "mass", 35, inf},
		{"at least 20 kW", "power", 20, inf},
		{"no less than 20 kW", "power", 20, inf},
		{"не менее 20 кВт", "power", 20, inf},
		{"от 30 м", "length", 30, inf},
		{"свыше 9 м", "length", 9, inf},
		{"35 t or more", "mass", 35, inf},
		{"35 т и более", "mass", 35, inf},
		{"> 35 t", "mass", 35, inf},
		{"under 2 m", "length", 0, 2},
		{"up to 3 t", "mass", 0, 3},
		{"not more than 3 t", "mass", 0, 3},
		{"не более 3 т", "mass", 0, 3},
		{"до 3 тонн", "mass", 0, 3},
		{"легче 3 тонн", "mass", 0, 3},
		{"<= 3 t", "mass", 0, 3},
	} {
		got := readAmounts(tokenise(fold(signed(tt.give)), nil), true, nil)
		require.Len(t, got, 1, tt.give)
		require.Equal(t, tt.name, got[0].name, tt.give)
		require.InDelta(t, tt.low, got[0].low, 1e-9, tt.give)
		if math.IsInf(tt.high, 1) {
			require.True(t, math.IsInf(got[0].high, 1), tt.give)
		} else {
			require.InDelta(t, tt.high, got[0].high, 1e-9, tt.give)
		}
	}
	for _, none := range []string{"320", "320 excavator", "ZX 200", "over the bridge", "no more"} {
		require.Empty(t, readAmounts(tokenise(fold(none), nil), true, nil), none)
	}
	require.Equal(t, []amount{{"mass", 35, 35}}, readAmounts(tokenise("heavier than 35 t", nil), false, nil), "a machine has what it has")
}

// The inner product of a wish and a value follows serves: to about a tenth away
// from the steps, which waves round.
func TestWavesSayHowWellAValueServes(t *testing.T) {
	t.Parallel()
	for _, a := range []amount{{"mass", 25, 25}, {"mass", 35, math.Inf(1)}, {"length", 0, 2}, {"power", 5, 10}} {
		var wish [2*waves + 1]float64
		a.wanted(&wish)
		middle := a.high
		if math.IsInf(a.high, 1) {
			middle = a.low
		}
		for _, factor := range []float64{0.2, 0.5, 0.7, 1.02, 1.5, 2, 4} {
			value := middle * factor
			var has [2*waves + 1]float64
			amount{a.name, value, value}.has(&has)
			var dot float64
			for i := range wish {
				dot += wish[i] * has[i]
			}
			require.InDelta(t, a.serves(value), dot, 0.25, "%v of %v", value, a)
		}
	}
}

func TestServesPrefersALittleMore(t *testing.T) {
	t.Parallel()
	a := amount{"mass", 25, 25}
	require.Greater(t, a.serves(30), a.serves(20))
	require.Greater(t, a.serves(30), a.serves(90))
	require.GreaterOrEqual(t, a.serves(25), a.serves(27))
}
