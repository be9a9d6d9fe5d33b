package gateway_test

// This file: the generated Go client, as a program of somebody else uses it.

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	client "equipment-platform/gen/gatewayclient"
	"equipment-platform/internal/sandbox"
)

func TestGoClient(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	c, err := client.NewClient(s.URL, client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+tokenFor(t, "go-client", "MANAGER"))
		r.Header.Set("X-Partner-Access-Token", sandbox.Token)
		return nil
	}))
	require.NoError(t, err)
	answer, err := c.ListMyOrganizations(t.Context(), &client.ListMyOrganizationsParams{})
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode)
	var organizations client.OrganizationList
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&organizations))
	require.NotEmpty(t, organizations.Organizations)

	content := bytes.Repeat([]byte("a part of a file "), 10_000)
	uploaded, err := c.UploadToShelfWithBody(t.Context(), &client.UploadToShelfParams{}, "application/octet-stream", bytes.NewReader(content))
	require.NoError(t, err)
	defer uploaded.Body.Close()
	name, err := io.ReadAll(uploaded.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, uploaded.StatusCode, string(name))
	downloaded, err := c.DownloadFromShelf(t.Context(), &client.DownloadFromShelfParams{FileName: new(string(name))})
	require.NoError(t, err)
	defer downloaded.Body.Close()
	back, err := io.ReadAll(downloaded.Body)
	require.NoError(t, err)
	require.Equal(t, content, back)
}
