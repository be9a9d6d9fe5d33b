package sandbox

// This file: documents, document types, and what is done with documents
// without changing their flow.

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

// inFlow reports whether a document fits the status of a filter category.
func (m *message) inFlow(d *document, box, status string) (bool, error) {
	switch status {
	case "":
		return true, nil
	case "NotRevoked":
		return d.revocationEnd == nil || !d.revocationAccepted, nil
	case "NotRead":
		return !d.readBy[box], nil
	case "WaitingForRecipientSignature", "WithRecipientSignature", "RecipientSignatureRequestRejected":
		return d.responseStatus() == status, nil
	case "WaitingForSenderSignature":
		return d.senderStatus() == status, nil
	case "RevocationIsRequestedByMe", "RequestsMyRevocation", "RevocationAccepted", "RevocationRejected":
		return d.revocationStatus(box) == status, nil
	case "NotFinished":
		return !d.finished(), nil
	default:
		return false, fail(http.StatusBadRequest, "filterCategory has the unknown status %s", status)
	}
}

// fits reports whether a document belongs to a filter category such as
// Any.InboundNotRevoked.
func (m *message) fits(d *document, box, category string) (bool, error) {
	kind, rest, ok := strings.Cut(category, ".")
	if !ok {
		return false, fail(http.StatusBadRequest, "filterCategory %s is not type.class and status", category)
	}
	for _, class := range []string{"Inbound", "Outbound", "Internal"} {
		if status, ok := strings.CutPrefix(rest, class); ok {
			fits, err := m.inFlow(d, box, status)
			return fits && m.direction(box) == class && (kind == "Any" || kind == d.typeNamedID), err
		}
	}
	return false, fail(http.StatusBadRequest, "filterCategory %s has an unknown class", category)
}

// GetDocuments lists documents of letters, newest first.
func (s *Sandbox) GetDocuments(ctx context.Context, r providerapi.GetDocumentsRequestObject) (providerapi.GetDocumentsResponseObject, error) {
	p := r.Params
	o, err := s.mine(ctx, p.BoxId)
	if err != nil {
		return nil, err
	}
	if p.TimestampFromTicks != nil && (p.FromDocumentDate != nil || p.DocumentNumber != nil) {
		return nil, fail(http.StatusBadRequest, "Ticks exclude dates and documentNumber")
	}
	from, to, err := dates(p.FromDocumentDate, p.ToDocumentDate)
	if err != nil {
		return nil, err
	}
	list := []exchangeapi.Document{}
	for _, m := range s.store.order {
		if m.kind != "Letter" || !m.sees(o.boxID) || m.deletedFor[o.boxID] {
			continue
		}
		for _, d := range m.documents {
			fits, err := m.fits(d, o.boxID, p.FilterCategory)
			if err != nil {
				return nil, err
			}
			at, _ := time.Parse("02.01.2006", d.date)
			switch {
			case !fits, d.deletedFor[o.boxID],
				value(p.CounteragentBoxId) != "" && *p.CounteragentBoxId != m.counteragent(o.boxID),
				p.TimestampFromTicks != nil && ticks(d.created) < *p.TimestampFromTicks,
				p.TimestampToTicks != nil && ticks(d.created) > *p.TimestampToTicks,
				!from.IsZero() && at.Before(from), !to.IsZero() && at.After(to),
				value(p.DocumentNumber) != "" && !strings.Contains(d.number, *p.DocumentNumber),
				value(p.DepartmentId) != "" && *p.DepartmentId != orRoot(d.department[o.boxID]):
				continue
			}
			list = append(list, m.view(d, o.boxID, nil))
		}
	}
	switch value(p.SortDirection) {
	case "", "Descending":
		slices.Reverse(list)
	case "Ascending":
	default:
		return nil, fail(http.StatusBadRequest, "sortDirection is Ascending or Descending")
	}
	shown, err := page(list, func(d exchangeapi.Document) string { return *d.IndexKey }, p.AfterIndexKey, p.Count, 100, 100)
	if err != nil {
		return nil, err
	}
	more := len(shown) > 0 && value(shown[len(shown)-1].IndexKey) != value(list[len(list)-1].IndexKey)
	return providerapi.GetDocuments200JSONResponse{Documents: &shown, TotalCount: int32(len(list)), HasMoreResults: &more}, nil
}

func dates(from, to *string) (a, b time.Time, err error) {
	for _, d := range []struct {
		text *string
		at   *time.Time
	}{{from, &a}, {to, &b}} {
		if value(d.text) == "" {
			continue
		}
		if *d.at, err = time.Parse("02.01.2006", *d.text); err != nil {
			return a, b, fail(http.StatusBadRequest, "%s is not a date such as 01.06.2026", *d.text)
		}
	}
	return a, b, nil
}

// GetDocument shows one document and marks it as read.
func (s *Sandbox) GetDocument(ctx context.Context, r providerapi.GetDocumentRequestObject) (providerapi.GetDocumentResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	m, d, err := s.findDocument(o.boxID, r.Params.MessageId, r.Params.EntityId)
	if err != nil {
		return nil, err
	}
	d.readBy[o.boxID] = true
	return providerapi.GetDocument200JSONResponse(m.view(d, o.boxID, newInliner(r.Params.InjectEntityContent))), nil
}

// GetDocumentsByMessageId lists the documents of a message.
func (s *Sandbox) GetDocumentsByMessageId(ctx context.Context, r providerapi.GetDocumentsByMessageIdRequestObject) (providerapi.GetDocumentsByMessageIdResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	m, err := s.find(o.boxID, r.Params.MessageId)
	if err != nil {
		return nil, err
	}
	list := []exchangeapi.Document{}
	for _, d := range m.documents {
		list = append(list, m.view(d, o.boxID, nil))
	}
	return providerapi.GetDocumentsByMessageId200JSONResponse{Documents: &list, TotalCount: int32(len(list))}, nil
}

// documentTypes are the types that the demo knows: name, title, function, version.
var documentTypes = [][4]string{
	{"Nonformalized", "Nonformalized document", "default", "v1"},
	{"XmlAcceptanceCertificate", "Certificate of acceptance", "default", "rusal_05_01_01"},
	{"UniversalTransferDocument", "Universal transfer document", "Schf", "utd970_05_03_01"},
	{"ProformaInvoice", "Proforma invoice", "default", "v1"},
	{"Contract", "Contract", "default", "v1"},
}

// GetDocumentTypes describes the types.
func (s *Sandbox) GetDocumentTypes(ctx context.Context, r providerapi.GetDocumentTypesRequestObject) (providerapi.GetDocumentTypesResponseObject, error) {
	if _, err := s.mine(ctx, r.Params.BoxId); err != nil {
		return nil, err
	}
	list := []exchangeapi.DocumentTypeDescriptionV3{}
	for _, t := range documentTypes {
		url := "/GetContent?typeNamedId=" + t[0] + "&function=" + t[2] + "&version=" + t[3] + "&titleIndex=0"
		titles := []exchangeapi.DocumentTitleV2{{Index: 0, IsFormal: true, XsdUrl: &url, SignerInfo: exchangeapi.SignerInfoV2{SignerType: 1, ExtendedDocumentTitleType: -1}}}
		workflows := []exchangeapi.DocumentWorkflowV2{{Id: 5, IsDefault: true}, {Id: 6}}
		versions := []exchangeapi.DocumentVersionV2{{Version: t[3], IsActual: true, SupportsContentPatching: true, Titles: &titles, Workflows: &workflows}}
		functions := []exchangeapi.DocumentFunctionV2{{Name: t[2], Versions: &versions}}
		docflows := []int32{0, 1}
		list = append(list, exchangeapi.DocumentTypeDescriptionV3{Name: t[0], Title: t[1], SupportedDocflows: &docflows, Functions: &functions})
	}
	return providerapi.GetDocumentTypes200JSONResponse{DocumentTypes: &list}, nil
}

// GetContent answers the XML schema of a title.
func (s *Sandbox) GetContent(_ context.Context, r providerapi.GetContentRequestObject) (providerapi.GetContentResponseObject, error) {
	if !slices.ContainsFunc(documentTypes, func(t [4]string) bool { return t[0] == r.Params.TypeNamedId }) {
		return nil, fail(http.StatusNotFound, "Document type %s is unknown", r.Params.TypeNamedId)
	}
	xsd := `<?xml version="1.0" encoding="utf-8"?><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="Document"/></xs:schema>`
	return providerapi.GetContent200AsteriskResponse{FileAsteriskResponse: fileAnswer([]byte(xsd), "application/xml", r.Params.TypeNamedId+".xsd")}, nil
}

// fileAnswer is a file as an answer.
func fileAnswer(data []byte, mediaType, name string) providerapi.FileAsteriskResponse {
	return providerapi.FileAsteriskResponse{
		Body: io.NopCloser(bytes.NewReader(data)), ContentType: mediaType, ContentLength: int64(len(data)),
		Headers: providerapi.FileResponseHeaders{ContentDisposition: new(`attachment; filename="` + strings.NewReplacer(`"`, "_", "\r", "_", "\n", "_").Replace(name) + `"`)},
	}
}

// GetWorkflowsSettings describes the two workflows of the demo.
func (s *Sandbox) GetWorkflowsSettings(ctx context.Context, r providerapi.GetWorkflowsSettingsRequestObject) (providerapi.GetWorkflowsSettingsResponseObject, error) {
	if _, err := s.mine(ctx, r.Params.BoxId); err != nil {
		return nil, err
	}
	participants := []exchangeapi.ParticipantSettingV2{{Participant: new("Sender")}, {Participant: new("Recipient")}}
	return providerapi.GetWorkflowsSettings200JSONResponse{DocumentWorkflowSettings: &[]exchangeapi.DocumentWorkflowSettingsV2{
		{Id: 5, Participants: &participants}, {Id: 6, Participants: &participants},
	}}, nil
}

// GetResolutionRoutes names one approval route.
func (s *Sandbox) GetResolutionRoutes(ctx context.Context, r providerapi.GetResolutionRoutesRequestObject) (providerapi.GetResolutionRoutesResponseObject, error) {
	if _, err := s.mine(ctx, r.Params.BoxId); err != nil {
		return nil, err
	}
	return providerapi.GetResolutionRoutes200JSONResponse{ResolutionRoutes: &[]exchangeapi.ResolutionRoute{
		{RouteId: "00000000-0000-4000-8000-0000000000e1", Name: "Two approvals"},
	}}, nil
}

// GetSignatureInfo shows what a signature says.
func (s *Sandbox) GetSignatureInfo(ctx context.Context, r providerapi.GetSignatureInfoRequestObject) (providerapi.GetSignatureInfoResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	m, err := s.find(o.boxID, r.Params.MessageId)
	if err != nil {
		return nil, err
	}
	for _, d := range m.documents {
		for _, sig := range []*signature{d.signature, d.answer} {
			if sig != nil && sig.id == r.Params.EntityId {
				signer := s.organizationOf(sig.box)
				return providerapi.GetSignatureInfo200JSONResponse{
					SigningTime: stamp(sig.at), Thumbprint: demoThumbprint, SerialNumber: "01", OrgName: &signer.name, OrgInn: &signer.inn,
					SignatureVerificationResult: &exchangeapi.SignatureVerificationResult{IsValid: true},
				}, nil
			}
		}
	}
	return nil, fail(http.StatusNotFound, "Signature %s is unknown", r.Params.EntityId)
}

// Delete takes a document, or the whole message, out of the box.
func (s *Sandbox) Delete(ctx context.Context, r providerapi.DeleteRequestObject) (providerapi.DeleteResponseObject, error) {
	return providerapi.DoneResponse{}, s.setDeleted(ctx, r.Params.BoxId, r.Params.MessageId, r.Params.DocumentId, true)
}

// Restore brings it back.
func (s *Sandbox) Restore(ctx context.Context, r providerapi.RestoreRequestObject) (providerapi.RestoreResponseObject, error) {
	return providerapi.DoneResponse{}, s.setDeleted(ctx, r.Params.BoxId, r.Params.MessageId, r.Params.DocumentId, false)
}

func (s *Sandbox) setDeleted(ctx context.Context, box, messageID string, documentID *string, gone bool) error {
	o, err := s.mine(ctx, box)
	if err != nil {
		return err
	}
	m, err := s.find(o.boxID, messageID)
	if err != nil {
		return err
	}
	marks := m.deletedFor
	if documentID != nil {
		d := m.document(*documentID)
		if d == nil {
			return fail(http.StatusNotFound, "Document %s is unknown", *documentID)
		}
		marks = d.deletedFor
	}
	if marks[o.boxID] == gone {
		return fail(http.StatusConflict, "It is so already")
	}
	marks[o.boxID] = gone
	return nil
}

// MoveDocuments puts documents into another department.
func (s *Sandbox) MoveDocuments(ctx context.Context, r providerapi.MoveDocumentsRequestObject) (providerapi.MoveDocumentsResponseObject, error) {
	o, err := s.mine(ctx, r.Body.BoxId)
	if err != nil {
		return nil, err
	}
	to := orRoot(value(r.Body.ToDepartmentId))
	if _, err := o.department(to); err != nil {
		return nil, err
	}
	for _, id := range value(r.Body.DocumentIds) {
		_, d, err := s.findDocument(o.boxID, id.MessageId, id.EntityId)
		if err != nil {
			return nil, err
		}
		d.department[o.boxID] = to
	}
	return providerapi.DoneResponse{}, nil
}

// DetectCustomPrintForms finds none.
func (s *Sandbox) DetectCustomPrintForms(ctx context.Context, r providerapi.DetectCustomPrintFormsRequestObject) (providerapi.DetectCustomPrintFormsResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	items := []exchangeapi.CustomPrintFormDetectionItemResult{}
	if len(value(r.Body.DocumentIds)) > 100 {
		return nil, fail(http.StatusBadRequest, "At most 100 documents")
	}
	for _, id := range value(r.Body.DocumentIds) {
		if _, _, err := s.findDocument(o.boxID, id.MessageId, id.EntityId); err != nil {
			return nil, err
		}
		items = append(items, exchangeapi.CustomPrintFormDetectionItemResult{DocumentId: id})
	}
	return providerapi.DetectCustomPrintForms200JSONResponse{Items: &items}, nil
}
