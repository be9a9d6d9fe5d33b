package docs_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/openapi"
)

// TestPartnersFindEveryCode: each word that the documents list has its line in
// what partners read.
func TestPartnersFindEveryCode(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("partners.md")
	require.NoError(t, err)
	for document, place := range map[string]func() any{
		"catalog": func() any {
			spec, err := openapi.Load(openapi.Catalog)
			require.NoError(t, err)
			return spec.Components.Schemas["ErrorCode"].Value.Extensions["x-extensible-enum"]
		},
		"gateway": func() any {
			spec, err := openapi.Load(gatewayapi.Spec)
			require.NoError(t, err)
			return spec.Components.Schemas["ApiErrorDto"].Value.Properties["code"].Value.Extensions["x-extensible-enum"]
		},
	} {
		words, ok := place().([]any)
		require.True(t, ok, document)
		require.NotEmpty(t, words, document)
		for _, word := range words {
			require.Contains(t, string(page), "`"+word.(string)+"`", document)
		}
	}
}
