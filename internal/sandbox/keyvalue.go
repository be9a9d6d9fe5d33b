package sandbox

// This file: the key-value storage.

import (
	"context"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

// KeyValueStorageGet answers the pairs that are there.
func (s *Sandbox) KeyValueStorageGet(ctx context.Context, r providerapi.KeyValueStorageGetRequestObject) (providerapi.KeyValueStorageGetResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	entries := []exchangeapi.KeyValueStorageEntry{}
	for _, key := range value(r.Body.Keys) {
		if v, ok := o.pairs[key]; ok {
			entries = append(entries, exchangeapi.KeyValueStorageEntry{Key: key, Value: v})
		}
	}
	return providerapi.KeyValueStorageGet200JSONResponse{Entries: &entries}, nil
}

// KeyValueStoragePut keeps pairs.
func (s *Sandbox) KeyValueStoragePut(ctx context.Context, r providerapi.KeyValueStoragePutRequestObject) (providerapi.KeyValueStoragePutResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	for _, e := range value(r.Body.Entries) {
		o.pairs[e.Key] = e.Value
	}
	return providerapi.DoneResponse{}, nil
}
