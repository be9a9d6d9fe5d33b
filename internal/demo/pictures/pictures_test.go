package pictures_test

// Every type of the demo catalogue has a drawing, and every vehicle its pictures.

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/jpeg"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/demo"
	"equipment-platform/internal/demo/pictures"
)

func records[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	raw, err := demo.Data.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &list))
	return list
}

func TestEveryTypeIsDrawn(t *testing.T) {
	t.Parallel()
	var wanted []string
	for _, one := range records[struct{ Key string }](t, "types.json") {
		wanted = append(wanted, one.Key)
	}
	require.ElementsMatch(t, wanted, pictures.Types())
}

func TestEveryVehicleHasItsPictures(t *testing.T) {
	t.Parallel()
	c := pictures.New()
	seen := map[string]bool{}
	for _, v := range records[struct{ Key, Type, Owner string }](t, "vehicles.json") {
		for _, id := range demo.PictureIDs(v.Key) {
			file, known := c.Describe(id)
			require.True(t, known, v.Key)
			require.Equal(t, v.Owner, file.UploaderUserID)
			if seen[v.Type+file.Description] {
				continue // drawn once for each type and view
			}
			seen[v.Type+file.Description] = true
			raw, contentType, err := c.Draw(id, 160)
			require.NoError(t, err)
			require.Equal(t, "image/jpeg", contentType)
			config, kind, err := image.DecodeConfig(bytes.NewReader(raw))
			require.NoError(t, err)
			require.Equal(t, "jpeg", kind)
			require.Equal(t, image.Pt(160, 100), image.Pt(config.Width, config.Height))
			require.Greater(t, len(raw), 1500, "%s: %s is not empty", v.Key, file.Description)
		}
	}
	_, known := c.Describe(uuid.New())
	require.False(t, known)
}
