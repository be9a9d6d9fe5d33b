// Package docspage serves the interactive page of a contract: search over its
// operations, samples by language, requests to try, light and dark. It shows what
// /openapi.json of the same host says, and asks no other host for anything.
//
// The page is Scalar's (MIT, LICENSE.scalar), whose published script stands here
// compressed; scripts/update-docs-page replaces it by another version.
package docspage

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the page
	"io"
	"net/http"
)

// Policy lets the page run the scripts of this host only, and call this host only.
// Styles are put into the page by its script, hence the exception for them.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var (
	//go:embed index.html
	index []byte
	//go:embed page.js
	page []byte
	//go:embed scalar.js.gz
	scalar []byte
)

// Serve answers with the file of that name, "" being the page itself, and reports
// whether there is one. The script travels as it is kept when the caller takes gzip.
func Serve(w http.ResponseWriter, r *http.Request, name string, gzipTaken bool) (found bool, err error) {
	var body io.Reader
	kind := "text/javascript; charset=utf-8"
	h := w.Header()
	switch {
	case name == "" || name == "index.html":
		body, kind = bytes.NewReader(index), "text/html; charset=utf-8"
	case name == "page.js":
		body = bytes.NewReader(page)
	case name == "scalar.js" && gzipTaken:
		body = bytes.NewReader(scalar)
		h.Set("Content-Encoding", "gzip")
	case name == "scalar.js":
		if body, err = gzip.NewReader(bytes.NewReader(scalar)); err != nil {
			return true, err
		}
	default:
		return false, nil
	}
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", Policy)
	h.Set("Vary", "Accept-Encoding")
	// looked at again each time: another version of the program has other files under these names
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return true, nil
	}
	_, err = io.Copy(w, body) //nolint:gosec // what is unpacked is a part of this program
	return true, err
}
