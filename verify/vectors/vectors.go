// Package vectors stands in for an embedding server: it answers over the real
// protocol with the features of the built-in embedder, and fails when it is told to.
package vectors

import (
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"equipment-platform/internal/embedding"
)

// Rejected is a word that the server refuses for good (400) in any text.
const Rejected = "Unembeddable"

// Server runs until its process ends.
type Server struct {
	URL string // for EMBEDDINGS_URL
	// Down breaks every connection, as when nobody is there.
	Down atomic.Bool
}

// Start serves on a free port of 127.0.0.1.
func Start() (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + listener.Addr().String() + "/v1"}
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }()
	return s, nil
}

func (s *Server) handler() http.Handler {
	lexical := embedding.NewLexical()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Down.Load() {
			panic(http.ErrAbortHandler)
		}
		var in struct{ Input json.RawMessage }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if strings.Contains(string(in.Input), Rejected) {
			http.Error(w, `{"error": {"message": "this text cannot be embedded", "type": "invalid_request_error"}}`, http.StatusBadRequest)
			return
		}
		var texts []string
		if strings.HasPrefix(string(in.Input), "[") {
			_ = json.Unmarshal(in.Input, &texts)
		} else {
			texts = make([]string, 1)
			_ = json.Unmarshal(in.Input, &texts[0])
		}
		made, err := lexical.EmbedPassages(r.Context(), texts)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		data := make([]map[string]any, len(made))
		for i, vector := range made {
			data[i] = map[string]any{"object": "embedding", "index": i, "embedding": vector}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"object": "list", "model": "words", "data": data, "usage": map[string]int{"prompt_tokens": 1, "total_tokens": 1},
		})
	})
}
