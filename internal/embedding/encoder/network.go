// The network: subword vectors, three convolutions over windows of 2, 3 and 5
// subwords, their mean, four dense layers.

package encoder

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

const (
	pieceChunks = 17   // piece p has row p/17 of chunk p%17, each chunk with a scale of its own
	pieceRows   = 7530 // rows of a chunk
	convolved   = 256  // width of a convolution
	featureSize = Dimension + 3*convolved
	dense       = 320
)

// convolution is a branch of the network that looks at windows of subwords.
type convolution struct {
	size, left    int // subwords in a window, and how many of them stand before
	project       layer
	first, second layer
}

type network struct {
	table       [pieceChunks][]byte // quantised subword vectors
	scale, low  []float32           // of each chunk
	branches    [3]convolution
	entry       [2][]float32 // gain and offset of all branches' inputs
	gamma, beta []float32
	mean        layer
	d0, d1, d2  layer
	p1, p3, d3  layer
	epsilon     float32
}

func readNetwork(raw []byte) (*network, error) {
	a, err := openArrays(raw)
	if err != nil {
		return nil, err
	}
	n := &network{
		scale: a.floats("scale", pieceChunks), low: a.floats("lo", pieceChunks),
		gamma: a.floats("ln_g", featureSize), beta: a.floats("ln_b", featureSize),
		mean: a.layer("cnn_W", "cnn_b", featureSize, Dimension),
		d0:   a.layer("d0", "", Dimension, dense), d1: a.layer("d1", "", dense, dense),
		p1: a.layer("p1", "", Dimension, dense), d2: a.layer("d2", "", dense, Dimension),
		p3: a.layer("p3", "", dense, Dimension), d3: a.layer("d3", "", Dimension, Dimension),
		epsilon: float32(a.number("eps")),
	}
	for i := range n.table {
		n.table[i] = a.bytes("q"+strconv.Itoa(i+1), pieceRows, Dimension)
	}
	for i, window := range [3]struct{ size, left int }{{2, 0}, {3, 1}, {5, 2}} {
		s := strconv.Itoa(window.size)
		n.branches[i] = convolution{
			size: window.size, left: window.left,
			project: a.layer("proj"+s, "proj_b"+s, Dimension, convolved),
			first:   a.layer("w1_"+s, "b1_"+s, window.size*convolved, convolved),
			second:  a.layer("w2_"+s, "b2_"+s, window.size*convolved, convolved),
		}
		n.entry[0] = append(n.entry[0], a.floats("ln_g"+s, convolved)...)
		n.entry[1] = append(n.entry[1], a.floats("ln_b"+s, convolved)...)
	}
	if a.err != nil {
		return nil, fmt.Errorf("weights: %w", a.err)
	}
	return n, nil
}

// activations is the memory of one pass, reused.
type activations struct {
	tokens                             []int32
	features, own                      []float32 // of each token
	inputs, projected, hidden, windows []float32
}

func sized(s *[]float32, n int) []float32 {
	if cap(*s) < n {
		*s = make([]float32, n)
	}
	return (*s)[:n]
}

// encode writes the vector of the tokens, not yet of length 1.
func (n *network) encode(a *activations, out []float32) {
	count := len(a.tokens)
	// Each token has a row: its own vector, then what each branch made of it.
	features := sized(&a.features, count*featureSize)
	own := sized(&a.own, count*Dimension)
	for t, piece := range a.tokens {
		chunk := int(piece) % pieceChunks
		row := n.table[chunk][int(piece)/pieceChunks*Dimension:][:Dimension]
		for i, q := range row {
			own[t*Dimension+i] = float32(q)*n.scale[chunk] + n.low[chunk]
		}
		copy(features[t*featureSize:], own[t*Dimension:][:Dimension])
	}
	const all = len(n.branches) * convolved
	inputs := sized(&a.inputs, count*all)
	projected := sized(&a.projected, count*convolved)
	for i := range n.branches {
		product(projected, own, count, &n.branches[i].project)
		for t := range count {
			copy(inputs[t*all+i*convolved:], projected[t*convolved:][:convolved])
		}
	}
	for t := range count {
		normaliseLayer(inputs[t*all:][:all], n.entry[0], n.entry[1], n.epsilon)
	}
	for i := range n.branches {
		for t := range count {
			copy(projected[t*convolved:][:convolved], inputs[t*all+i*convolved:])
		}
		n.branches[i].apply(a, projected, features[Dimension+i*convolved:], count)
	}
	sum := make([]float32, featureSize)
	for t := range count {
		row := features[t*featureSize:][:featureSize]
		normaliseLayer(row, n.gamma, n.beta, n.epsilon)
		for i, x := range row {
			sum[i] += x
		}
	}
	// The mean is over the root of the count, so that longer texts weigh more. The
	// layer is linear: it is applied to the sum instead of to each token.
	mean := make([]float32, Dimension)
	product(mean, sum, 1, &n.mean)
	for i := range mean {
		mean[i] = (mean[i] + float32(count-1)*n.mean.bias[i]) / float32(math.Sqrt(float64(count)))
	}
	y0, y1, more := make([]float32, dense), make([]float32, dense), make([]float32, dense)
	product(y0, mean, 1, &n.d0)
	positive(y0)
	product(y1, mean, 1, &n.p1)
	product(more, y0, 1, &n.d1)
	add(y1, more)
	positive(y1)
	y2, last := make([]float32, Dimension), make([]float32, Dimension)
	product(y2, y1, 1, &n.d2)
	positive(y2)
	product(out, y1, 1, &n.p3)
	product(last, y2, 1, &n.d3)
	add(out, last)
	for i, x := range out {
		out[i] = float32(math.Tanh(float64(x)))
	}
}

// apply writes what the branch makes of each token, in rows of featureSize. It
// uses up its inputs.
func (c *convolution) apply(a *activations, projected, out []float32, count int) {
	hidden := sized(&a.hidden, count*convolved)
	product(hidden, c.windows(a, projected, count), count, &c.first)
	positive(hidden)
	add(hidden, projected)
	product(projected, c.windows(a, hidden, count), count, &c.second)
	positive(projected)
	add(projected, hidden)
	for t := range count {
		copy(out[t*featureSize:], projected[t*convolved:][:convolved])
	}
}

// windows lays the rows around each token side by side; beyond the ends of the
// sentence there are zeros.
func (c *convolution) windows(a *activations, rows []float32, count int) []float32 {
	width := c.size * convolved
	out := sized(&a.windows, count*width)
	for t := range count {
		for k := range c.size {
			to := out[t*width+k*convolved:][:convolved]
			if from := t - c.left + k; from >= 0 && from < count {
				copy(to, rows[from*convolved:])
			} else {
				clear(to)
			}
		}
	}
	return out
}

func normaliseLayer(row, gamma, beta []float32, epsilon float32) {
	var mean float32
	for _, x := range row {
		mean += x
	}
	mean /= float32(len(row))
	var variance float32
	for i, x := range row {
		row[i] = x - mean
		variance += row[i] * row[i]
	}
	scale := 1 / float32(math.Sqrt(float64(variance/float32(len(row))+epsilon)))
	for i := range row {
		row[i] = row[i]*scale*gamma[i] + beta[i]
	}
}

func positive(x []float32) {
	for i := range x {
		x[i] = max(x[i], 0)
	}
}

func add(to, x []float32) {
	for i := range to {
		to[i] += x[i]
	}
}

// The library multiplies what has more blocks of 64 by 64 than this on all
// processors at once. A text is embedded on one, so that who sends long ones
// does not take them all from the others.
const (
	serialRows    = 64
	serialColumns = 3 * 64
)

// product computes out = x · weights + bias for that many rows.
func product(out, x []float32, rows int, l *layer) {
	for r := 0; r < rows; r += serialRows {
		for c := 0; c < l.out; c += serialColumns {
			gonum.Implementation{}.Sgemm(blas.NoTrans, blas.Trans, min(serialRows, rows-r), min(serialColumns, l.out-c), l.in,
				1, x[r*l.in:], l.in, l.weights[c*l.in:], l.in, 0, out[r*l.out+c:], l.out)
		}
	}
	if l.bias != nil {
		for r := range rows {
			add(out[r*l.out:][:l.out], l.bias)
		}
	}
}
