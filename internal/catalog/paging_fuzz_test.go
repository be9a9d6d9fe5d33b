package catalog

// This file: no text of a request reaches the ORDER BY list.

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzOrderBy(f *testing.F) {
	for _, seed := range []string{"name,asc", "createdAt", "brandName,DESC", "id; DROP TABLE vehicles", "licensePlate,desc", "equipmentType.id", ",", "a,b,c"} {
		f.Add(seed, "releaseYear")
	}
	safe := regexp.MustCompile(`^(v\.[a-z_]+ (ASC|DESC)( NULLS LAST)?, )+v\.id (ASC|DESC)$`)
	f.Fuzz(func(t *testing.T, first, second string) {
		sql, err := orderBy("v", &[]string{first, second}, vehicleOrders)
		if err == nil {
			require.Regexp(t, safe, sql)
		}
	})
}
