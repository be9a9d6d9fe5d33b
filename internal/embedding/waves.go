// Amounts as features: how a number with a unit stands in a vector so that the
// inner product of a query and a machine says how well the machine serves.

package embedding

import "math"

// A value is written as waves over its logarithm: cosines and sines of several
// lengths, the longest spanning four decades, and one component that says that
// there is such an amount at all. A query says for each place on this scale how
// well it serves, and its features are the waves that add up to that.
const (
	waves    = 32
	span     = 1e4 // the scale repeats: a kilogram stands where ten tonnes do
	presence = 0.6 // weight of there being an amount
	grid     = 256 // places at which a wish is looked at
)

// waveWeight makes long waves, which tell far from near, count more. The waves of
// a value have length 1 together.
var waveWeight = func() (w [waves]float64) {
	var sum float64
	for k := range w {
		sum += 1 / float64(k+1)
	}
	for k := range w {
		w[k] = 1 / math.Sqrt(float64(k+1)*sum)
	}
	return w
}()

// phase is where a value stands on the scale, in radians.
func phase(value float64) float64 { return 2 * math.Pi * math.Log(value) / math.Log(span) }

// addTo adds the waves of the amount to out, each at a hashed place.
func (a amount) addTo(out []float32, length float64, query bool) {
	var w [2*waves + 1]float64
	if query {
		a.wanted(&w)
	} else {
		a.has(&w)
	}
	key := hashString("amount", a.name)
	for i, x := range w {
		place(out, mix(key+uint64(i)), float32(x*length))
	}
}

// has gives the waves of what a machine has.
func (a amount) has(w *[2*waves + 1]float64) {
	at := phase(a.low)
	for k, weight := range waveWeight {
		w[2*k] = weight * math.Cos(float64(k+1)*at)
		w[2*k+1] = weight * math.Sin(float64(k+1)*at)
	}
	w[2*waves] = presence
}

// wanted gives the waves whose inner product with those of a value is how well it
// serves.
func (a amount) wanted(w *[2*waves + 1]float64) {
	middle := math.Sqrt(a.low * a.high)
	switch {
	case math.IsInf(a.high, 1):
		middle = a.low
	case a.low == 0:
		middle = a.high
	}
	// The waves are added up as if the middle stood at the beginning of the scale, where every angle is one of the
	// table, and turned to where it stands: a query may name hundreds of amounts.
	var sum [waves]struct{ cos, sin float64 }
	for i := range grid {
		// Half of the scale lies below the middle, half above.
		serves := a.serves(middle * math.Pow(span, (float64(i)+0.5)/grid-0.5))
		for k := range sum {
			angle := angles[(k+1)*(2*i+1-grid)&(2*grid-1)]
			sum[k].cos += serves * angle.cos
			sum[k].sin += serves * angle.sin
		}
		w[2*waves] += serves / (presence * grid)
	}
	at := phase(middle)
	for k, weight := range waveWeight {
		sin, cos := math.Sincos(float64(k+1) * at)
		w[2*k] = 2 / (weight * grid) * (cos*sum[k].cos - sin*sum[k].sin)
		w[2*k+1] = 2 / (weight * grid) * (sin*sum[k].cos + cos*sum[k].sin)
	}
}

// angles are those of a circle in 2*grid steps.
var angles = func() (all [2 * grid]struct{ cos, sin float64 }) {
	for i := range all {
		all[i].sin, all[i].cos = math.Sincos(math.Pi * float64(i) / grid)
	}
	return all
}()

// How fast a machine serves less: where it misses a bound, where it has more than
// a single number asks for, and far inside of what a comparison allows.
const (
	tolerance  = 0.05 // share of a bound that people do not mind
	missing    = 8.0  // per unit of the natural logarithm
	excess     = 2.0
	remoteness = 0.12
)

// serves is how well a machine serves that has this value: 1 as asked for, -1 not
// at all.
func (a amount) serves(value float64) float64 {
	switch {
	case value < a.low*(1-tolerance):
		return max(-1, 1-missing*math.Log(a.low/value))
	case value > a.high*(1+tolerance) && a.low == a.high:
		return max(-1, 1-excess*math.Log(value/a.high))
	case value > a.high*(1+tolerance):
		return max(-1, 1-missing*math.Log(value/a.high))
	case math.IsInf(a.high, 1):
		return 1 - remoteness*math.Log(value/a.low)
	case a.low == 0:
		return 1 - remoteness*math.Log(a.high/value)
	}
	return 1
}
