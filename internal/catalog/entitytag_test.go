package catalog_test

// This file: entity tags (contract 1.3): what a cache holds is never taken for an answer
// that differs from it in a byte.

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
)

// One browser reads a vehicle signed out and then as somebody who sees more: its
// cache must not give the first answer to the second reader, who would save it.
func TestReadersOfOneVehicleHaveTagsOfTheirOwn(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	path := base + "/vehicles/" + f.vehicle
	f.owner.Do(t, "PATCH", path+"/photos/"+f.photo, m{"isActive": false}).Is(200)
	f.newLink(t, f.vehicle, "photos")
	public := f.Do(t, "GET", path, nil).Is(200)
	require.Equal(t, "no-cache", public.Header.Get("Cache-Control"))
	for _, by := range []edgetest.Client{f.admin, f.manager} {
		own := by.Do(t, "GET", path, nil, edgetest.IfNoneMatch(public.ETag())).Is(200)
		require.Len(t, own.Field("photoFileIds"), 2)
		require.Equal(t, public.Version(), own.Version())
		require.NotEqual(t, public.ETag(), own.ETag())
		require.Equal(t, "private, no-cache", own.Header.Get("Cache-Control"))
		f.Do(t, "GET", path, nil, edgetest.IfNoneMatch(own.ETag())).Is(200)
	}
	f.Do(t, "GET", path, nil, edgetest.IfNoneMatch(public.ETag())).Is(304)
	// the change that follows needs the version alone
	f.admin.Do(t, "PATCH", path, m{"modelName": "New"}, edgetest.IfMatch(public.ETag())).Is(200)
	f.admin.Do(t, "PATCH", path, m{"modelName": "Newer"}, edgetest.IfMatch(public.ETag())).Fails(409, "version_conflict")
}

// A name that an answer shows is a part of it, though it belongs to something else.
func TestRenamingWhatIsShownChangesTheTag(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	shown := map[string][]string{
		"/tags/" + f.tag:     {"/vehicles/" + f.vehicle, "/types/" + f.equipmentType},
		"/params/" + f.param: {"/vehicles/" + f.vehicle, "/types/" + f.equipmentType},
		"/units/" + f.unit:   {"/vehicles/" + f.vehicle, "/types/" + f.equipmentType, "/params/" + f.param},
	}
	for what, paths := range shown {
		before := map[string]edgetest.Answer{}
		for _, path := range paths {
			before[path] = f.admin.Do(t, "GET", base+path, nil).Is(200)
		}
		name := "name"
		if strings.HasPrefix(what, "/units/") {
			name = "label"
		}
		f.admin.Do(t, "PATCH", base+what, m{name: "renamed " + unique()}).Is(200)
		for path, old := range before {
			now := f.admin.Do(t, "GET", base+path, nil, edgetest.IfNoneMatch(old.ETag())).Is(200)
			require.Contains(t, string(now.Body), "renamed", "%s shows %s", path, what)
			require.Equal(t, old.Version(), now.Version())
		}
	}
}

// What is compressed is another sequence of bytes, under a tag of its own; the
// version is the same, also after a proxy made the tag weak.
func TestTagsOfCodings(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	files := []string{}
	for range 20 {
		files = append(files, uuid.NewString())
	}
	path := base + "/vehicles/" + f.vehicle
	f.owner.Do(t, "PATCH", path, m{"photoFileIds": files, "docFileIds": files}).Is(200)
	tags := map[string]bool{}
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		ask := func(tag string) edgetest.Answer {
			return f.Do(t, "GET", path, nil, edgetest.Header{Name: "Accept-Encoding", Value: coding}, edgetest.IfNoneMatch(tag))
		}
		tag := ask(`"none"`).Is(200).ETag()
		require.False(t, tags[tag])
		tags[tag] = true
		require.Equal(t, coding != "identity", strings.HasSuffix(tag, "-"+coding+`"`))
		ask(tag).Is(http.StatusNotModified)
		ask("W/" + tag).Is(http.StatusNotModified)
		f.owner.Do(t, "PATCH", path, m{}, edgetest.IfMatch("W/"+tag)).Is(200)
	}
}
