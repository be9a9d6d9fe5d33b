package sandbox

// This file: print forms, protocols and archives. What takes a while is ready at
// the second try.

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"equipment-platform/gen/providerapi"
)

// pending is the answer to a first try.
var pending = providerapi.PendingResponse{Headers: providerapi.PendingResponseHeaders{RetryAfter: new(int32(1))}}

// pdf makes the smallest document that a viewer opens.
func pdf(title string) []byte {
	var b bytes.Buffer
	var offsets []int
	b.WriteString("%PDF-1.4\n")
	stream := fmt.Sprintf("BT /F1 18 Tf 60 760 Td (%s) Tj ET", strings.NewReplacer("(", "", ")", "", "\\", "").Replace(title))
	for i, object := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(stream), stream),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	} {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, at)
	return b.Bytes()
}

// GeneratePrintForm prints a document.
func (s *Sandbox) GeneratePrintForm(ctx context.Context, r providerapi.GeneratePrintFormRequestObject) (providerapi.GeneratePrintFormResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	_, d, err := s.findDocument(o.boxID, r.Params.MessageId, r.Params.DocumentId)
	if err != nil {
		return nil, err
	}
	if !s.again("print form " + d.entityID) {
		return pending, nil
	}
	return providerapi.GeneratePrintForm200AsteriskResponse{FileAsteriskResponse: fileAnswer(pdf(d.title()), "application/pdf", d.title()+".pdf")}, nil
}

// GeneratePrintFormFromAttachment starts printing a sent file.
func (s *Sandbox) GeneratePrintFormFromAttachment(_ context.Context, r providerapi.GeneratePrintFormFromAttachmentRequestObject) (providerapi.GeneratePrintFormFromAttachmentResponseObject, error) {
	if _, err := s.read(r.Body); err != nil {
		return nil, err
	}
	id := newID()
	s.store.tasks[id] = &task{kind: "print form", result: r.Params.DocumentType}
	return providerapi.GeneratePrintFormFromAttachment200TextResponse(id), nil
}

// GetGeneratedPrintForm answers a started print form.
func (s *Sandbox) GetGeneratedPrintForm(_ context.Context, r providerapi.GetGeneratedPrintFormRequestObject) (providerapi.GetGeneratedPrintFormResponseObject, error) {
	t := s.store.tasks[r.Params.PrintFormId]
	if t == nil || t.kind != "print form" {
		return nil, fail(http.StatusConflict, "Print form %s is unknown or gone", r.Params.PrintFormId)
	}
	if t.polls++; t.polls == 1 {
		return pending, nil
	}
	title := t.result.(string)
	return providerapi.GetGeneratedPrintForm200AsteriskResponse{FileAsteriskResponse: fileAnswer(pdf(title), "application/pdf", title+".pdf")}, nil
}

// GenerateDocumentProtocol answers the transfer protocol.
func (s *Sandbox) GenerateDocumentProtocol(ctx context.Context, r providerapi.GenerateDocumentProtocolRequestObject) (providerapi.GenerateDocumentProtocolResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	_, d, err := s.findDocument(o.boxID, r.Params.MessageId, r.Params.DocumentId)
	if err != nil {
		return nil, err
	}
	if !s.again("protocol " + d.entityID) {
		return pending, nil
	}
	form := pdf("Protocol of " + d.title())
	return providerapi.GenerateDocumentProtocol200JSONResponse{PrintForm: encode(form), Signature: encode(testSignature(form))}, nil
}

// GenerateDocumentZip packs a document, or its whole flow, and puts the archive
// on the shelf.
func (s *Sandbox) GenerateDocumentZip(ctx context.Context, r providerapi.GenerateDocumentZipRequestObject) (providerapi.GenerateDocumentZipResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	m, d, err := s.findDocument(o.boxID, r.Params.MessageId, r.Params.DocumentId)
	if err != nil {
		return nil, err
	}
	if !s.again(fmt.Sprint("zip ", d.entityID, r.Params.FullDocflow)) {
		return pending, nil
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	add := func(name string, data []byte) error {
		f, err := w.Create(filepath.Base(name))
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	}
	if err := add(d.fileName, d.content); err != nil {
		return nil, err
	}
	if r.Params.FullDocflow {
		for _, e := range m.entitiesOf(o.boxID, &d.entityID, newInliner(new(true))) {
			if data := value(e.Content).Data; data != nil && e.EntityId != d.entityID {
				raw, _ := s.content(data, nil)
				if err := add(e.EntityId+".bin", raw); err != nil {
					return nil, err
				}
			}
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	name := newID() + ".zip"
	s.store.shelf[name] = &file{name: name, data: packed.Bytes()}
	return providerapi.GenerateDocumentZip200JSONResponse{ZipFileNameOnShelf: &name}, nil
}
