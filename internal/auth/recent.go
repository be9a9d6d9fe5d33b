package auth

// This file: tokens that were verified a moment ago. Checking a signature and
// reading claims costs more than all the rest of a small request; a caller
// sends the same token many times. An entry holds while the keys are the ones
// that it was verified with and the token has not expired.

import (
	"crypto/sha256"
	"sync"
	"time"

	"github.com/lestrrat-go/jwx/v2/jwk"
)

// maxVerified bounds each of the two generations that are kept.
const maxVerified = 4096

type verified struct {
	caller  Caller
	expires time.Time
	keys    *jwk.Set
}

// verifiedTokens forgets the older half when it is full. Tokens themselves are
// not kept, only their hashes.
type verifiedTokens struct {
	mu         sync.RWMutex
	young, old map[[sha256.Size]byte]verified
}

func (v *verifiedTokens) get(hash [sha256.Size]byte, keys *jwk.Set, now time.Time) (Caller, bool) {
	v.mu.RLock()
	entry, ok := v.young[hash]
	if !ok {
		entry, ok = v.old[hash]
	}
	v.mu.RUnlock()
	return entry.caller, ok && entry.keys == keys && now.Before(entry.expires)
}

func (v *verifiedTokens) put(hash [sha256.Size]byte, entry verified) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.young == nil || len(v.young) >= maxVerified {
		v.young, v.old = make(map[[sha256.Size]byte]verified, maxVerified), v.young
	}
	v.young[hash] = entry
}
