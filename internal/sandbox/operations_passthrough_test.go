package sandbox_test

// This file: the operations of the logistics, electronic waybill and transport
// upstreams; see operations_test.go.

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/sandbox"
)

// unpacked is the one file of an archive.
func unpacked(t *testing.T, archive []byte) string {
	t.Helper()
	read, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	require.Len(t, read.File, 1)
	f, err := read.File[0].Open()
	require.NoError(t, err)
	data, err := io.ReadAll(f)
	require.NoError(t, err)
	return string(data)
}

func logistics(t *testing.T, b bed) {
	p, stranger := b.partner("/logistics", sandbox.APIKey), b.partner("/logistics", "wrong")
	demo := "/transportations/tr-20260601-17"
	require.Equal(t, "tr-20260601-17", at(p.get(200, "/transportations"), "items", 0, "transportationId"))
	require.Equal(t, "OnTheWay", at(p.get(200, demo), "transportationInfo", "status"))
	require.Equal(t, "t1", at(p.get(200, demo), "documentInfo", "titles", 0, "titleId"))
	require.Contains(t, string(p.get(200, demo+"/print-form").Body), "%PDF")
	require.Contains(t, unpacked(t, p.get(200, demo+"/full-docflow").Body), "<TransportWaybill")
	require.Contains(t, unpacked(t, p.get(200, demo+"/titles/t1").Body), "<TransportWaybill")
	require.Len(t, at(p.get(200, "/transportations/events"), "items"), 2)

	id := text(t, p.post(200, "/documents/waybill", newForm(t, "formFiles", "<Title/>")), "transportationId")
	p.post(400, "/documents/waybill", newForm(t, "other", "<Title/>"))
	require.Equal(t, "<Title/>", unpacked(t, p.get(200, "/transportations/"+id+"/titles/t1").Body))
	draft := p.post(200, "/documents/waybill/draft", newForm(t, "draft", "<Draft/>"), "draftAction", "SavedDraft")
	p.post(200, "/documents/waybill/draft", newForm(t, "draft", "<Draft/>"), "transportationId", text(t, draft, "transportationId"))
	p.post(404, "/documents/waybill/draft", newForm(t, "draft", "<Draft/>"), "transportationId", "none")
	p.post(400, "/documents/waybill/draft", newForm(t, "draft", "<Draft/>"), "draftAction", "Thrown")

	page := p.get(200, "/transportations", "Skip", "1", "Take", "1")
	require.Equal(t, []any{id, json.Number("3"), true}, []any{at(page, "items", 0, "transportationId"), at(page, "totalCount"), at(page, "hasMoreResults")})
	require.Equal(t, json.Number("1"), at(p.get(200, "/transportations", "Status", "Draft"), "totalCount"))
	p.get(400, "/transportations", "Take", "many")
	require.Equal(t, "evt-3", at(p.get(200, "/transportations/events", "FromId", "evt-2", "Count", "1"), "items", 0, "id"))
	p.get(400, "/transportations/events", "FromId", "none")
	for _, path := range []string{"/transportations/none", "/transportations/none/print-form", "/transportations/none/full-docflow", demo + "/titles/none"} {
		p.get(404, path)
		stranger.get(401, path)
	}
}

func waybill(t *testing.T, b bed) {
	p := b.partner("/waybill", sandbox.APIKey)
	require.Equal(t, []any{"wb-17", json.Number("1")}, []any{at(p.get(200, "/waybills"), "items", 0, "waybillId"), at(p.get(200, "/waybills"), "totalCount")})
	require.Equal(t, "KAMAZ", at(p.get(200, "/waybills/wb-17"), "vehicle", "brandName"))
	require.Equal(t, "Created", at(p.get(200, "/waybills/wb-17/status"), "status"))

	id := text(t, p.post(200, "/waybills", object{"odometer": json.Number("12345678901234567890")}), "waybillId")
	require.Equal(t, json.Number("12345678901234567890"), at(p.get(200, "/waybills/"+id), "odometer"), "numbers keep every digit")
	p.post(400, "/waybills", []string{"no object"})
	states := []any{at(p.get(200, "/waybills/"+id+"/status"), "status")}
	for n := range 6 {
		require.Equal(t, json.Number(string(rune('1'+n))), at(p.post(200, "/waybills/"+id+"/titles", newForm(t, "formFiles", "<Title/>")), "title"))
		states = append(states, at(p.get(200, "/waybills/"+id+"/status"), "status"))
	}
	require.Equal(t, []any{"New", "Created", "MedicalBefore", "Released", "OnTheWay", "Returned", "Completed"}, states)
	p.post(409, "/waybills/"+id+"/titles", newForm(t, "formFiles", "<Title/>"))
	p.post(404, "/waybills/none/titles", newForm(t, "formFiles", "<Title/>"))
	require.Equal(t, json.Number("1"), at(p.get(200, "/waybills", "Status", "Completed"), "totalCount"))
	p.get(404, "/waybills/none")
	p.get(404, "/waybills/none/status")
	b.partner("/waybill", "wrong").get(401, "/waybills")
}

func transport(t *testing.T, b bed) {
	p := b.partner("/transport", sandbox.APIKey)
	id := text(t, p.get(200, "/uuid"), "result")
	require.NotEqual(t, id, at(p.get(200, "/uuid"), "result"))
	b.partner("/transport", "wrong").get(401, "/uuid")
	require.Equal(t, "Issued", at(p.get(200, "/documents/"+id+"/status"), "status"))
	waybill := at(b.partner("/waybill", sandbox.APIKey).get(200, "/waybills/wb-17"), "stateId").(string)
	require.Equal(t, "Registered", at(p.get(200, "/documents/"+waybill+"/status"), "status"))
	p.get(404, "/documents/none/status")
}
