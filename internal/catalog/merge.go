package catalog

// This file: the merge-patch meaning of request fields (contract 1.9, contract 2.18).

import "github.com/oapi-codegen/nullable"

// set writes a sent value and tells whether one was sent.
func set[T any](field *T, sent *T) bool {
	if sent == nil {
		return false
	}
	*field = *sent
	return true
}

// merge writes a sent value or null into a nullable field and tells whether
// either was sent.
func merge[T any](field **T, sent nullable.Nullable[T]) bool {
	if !sent.IsSpecified() {
		return false
	}
	*field = pointer(sent)
	return true
}

// pointer returns the value that was sent, nil for null and for absent.
func pointer[T any](sent nullable.Nullable[T]) *T {
	if v, err := sent.Get(); err == nil {
		return &v
	}
	return nil
}

// show is the opposite of pointer for answers: nil becomes null.
func show[T any](p *T) nullable.Nullable[T] {
	if p == nil {
		return nullable.NewNullNullable[T]()
	}
	return nullable.NewNullableWithValue(*p)
}

// convert turns rows into what answers show.
func convert[A, B any](rows []A, f func(A) B) []B {
	out := make([]B, len(rows))
	for i, row := range rows {
		out[i] = f(row)
	}
	return out
}
