package sandbox

// This file: generating and parsing XML. A generated title wraps the user's
// XML, so that parsing gives it back.

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

const (
	xmlHead = `<?xml version="1.0" encoding="utf-8"?>`
	xmlType = "application/xml"
)

// readXML takes in a body that must be well-formed XML.
func (s *Sandbox) readXML(body io.Reader) ([]byte, error) {
	data, err := s.read(body)
	if err != nil {
		return nil, err
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	elements := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fail(http.StatusBadRequest, "The body is not well-formed XML: %v", err)
		}
		if _, ok := token.(xml.StartElement); ok {
			elements++
		}
	}
	if elements == 0 {
		return nil, fail(http.StatusBadRequest, "The body is not XML")
	}
	return data, nil
}

// generated is an XML file that the provider makes.
type generated struct {
	XMLName xml.Name
	Type    string `xml:"type,attr,omitempty"`
	Version string `xml:"version,attr,omitempty"`
	Message string `xml:"messageId,attr,omitempty"`
	Entity  string `xml:"entityId,attr,omitempty"`
	Text    string `xml:"Text,omitempty"`
	User    []byte `xml:"UserData,omitempty"`
}

func (g generated) bytes(name string) ([]byte, error) {
	g.XMLName.Local = name
	raw, err := xml.Marshal(g)
	return append([]byte(xmlHead), raw...), err
}

func parseGenerated(data []byte, name string) (g generated, err error) {
	if err := xml.Unmarshal(data, &g); err != nil || g.XMLName.Local != name {
		return g, fail(http.StatusBadRequest, "The body is not a %s", name)
	}
	return g, nil
}

func xmlAnswer(g generated, name string) (providerapi.FileAsteriskResponse, error) {
	raw, err := g.bytes(name)
	return fileAnswer(raw, xmlType, strings.ToLower(name)+".xml"), err
}

// GenerateTitleXml makes a title of the user's XML.
func (s *Sandbox) GenerateTitleXml(ctx context.Context, r providerapi.GenerateTitleXmlRequestObject) (providerapi.GenerateTitleXmlResponseObject, error) {
	p := r.Params
	o, err := s.mine(ctx, p.BoxId)
	if err != nil {
		return nil, err
	}
	if p.TitleIndex > 0 {
		if _, _, err := s.findDocument(o.boxID, value(p.LetterId), value(p.DocumentId)); err != nil {
			return nil, err
		}
	}
	user, err := s.readXML(r.Body)
	if err != nil {
		return nil, err
	}
	f, err := xmlAnswer(generated{Type: p.DocumentTypeNamedId, Version: p.DocumentVersion, User: user}, fmt.Sprintf("Title%d", p.TitleIndex))
	return providerapi.GenerateTitleXml200AsteriskResponse{FileAsteriskResponse: f}, err
}

// ParseTitleXml gives the user's XML back.
func (s *Sandbox) ParseTitleXml(ctx context.Context, r providerapi.ParseTitleXmlRequestObject) (providerapi.ParseTitleXmlResponseObject, error) {
	if _, err := s.mine(ctx, r.Params.BoxId); err != nil {
		return nil, err
	}
	data, err := s.readXML(r.Body)
	if err != nil {
		return nil, err
	}
	g, err := parseGenerated(data, fmt.Sprintf("Title%d", r.Params.TitleIndex))
	if err != nil {
		return nil, err
	}
	return providerapi.ParseTitleXml200AsteriskResponse{FileAsteriskResponse: fileAnswer(g.User, xmlType, "user.xml")}, nil
}

// about makes the XML of something that is said about a document.
func (s *Sandbox) about(ctx context.Context, box, messageID, entityID, name, text string) (providerapi.FileAsteriskResponse, *document, error) {
	o, err := s.mine(ctx, box)
	if err != nil {
		return providerapi.FileAsteriskResponse{}, nil, err
	}
	_, d, err := s.findDocument(o.boxID, messageID, entityID)
	if err != nil {
		return providerapi.FileAsteriskResponse{}, nil, err
	}
	f, err := xmlAnswer(generated{Message: messageID, Entity: entityID, Text: text}, name)
	return f, d, err
}

// GenerateReceiptXml makes a receipt.
func (s *Sandbox) GenerateReceiptXml(ctx context.Context, r providerapi.GenerateReceiptXmlRequestObject) (providerapi.GenerateReceiptXmlResponseObject, error) {
	f, _, err := s.about(ctx, r.Params.BoxId, r.Body.MessageId, r.Body.AttachmentId, "Receipt", "")
	return providerapi.GenerateReceiptXml200AsteriskResponse{FileAsteriskResponse: f}, err
}

// GenerateInvoiceCorrectionRequestXml makes a correction request.
func (s *Sandbox) GenerateInvoiceCorrectionRequestXml(ctx context.Context, r providerapi.GenerateInvoiceCorrectionRequestXmlRequestObject) (providerapi.GenerateInvoiceCorrectionRequestXmlResponseObject, error) {
	f, d, err := s.about(ctx, r.Params.BoxId, r.Body.MessageId, r.Body.AttachmentId, "CorrectionRequest", r.Body.ErrorMessage)
	if err == nil && d.finished() {
		err = fail(http.StatusConflict, "The document flow is completed")
	}
	return providerapi.GenerateInvoiceCorrectionRequestXml200AsteriskResponse{FileAsteriskResponse: f}, err
}

// GenerateRevocationRequestXml makes a revocation request.
func (s *Sandbox) GenerateRevocationRequestXml(ctx context.Context, r providerapi.GenerateRevocationRequestXmlRequestObject) (providerapi.GenerateRevocationRequestXmlResponseObject, error) {
	switch value(r.Params.ContentTypeId) {
	case "", "revocation_request_01", "revocation_request_02":
	default:
		return nil, fail(http.StatusBadRequest, "contentTypeId is revocation_request_01 or revocation_request_02")
	}
	f, _, err := s.about(ctx, r.Params.BoxId, r.Params.MessageId, r.Params.AttachmentId, "RevocationRequest", value(r.Body.Comment))
	return providerapi.GenerateRevocationRequestXml200AsteriskResponse{FileAsteriskResponse: f}, err
}

// ParseRevocationRequestXml reads a revocation request.
func (s *Sandbox) ParseRevocationRequestXml(_ context.Context, r providerapi.ParseRevocationRequestXmlRequestObject) (providerapi.ParseRevocationRequestXmlResponseObject, error) {
	data, err := s.readXML(r.Body)
	if err != nil {
		return nil, err
	}
	g, err := parseGenerated(data, "RevocationRequest")
	return providerapi.ParseRevocationRequestXml200JSONResponse{Comment: &g.Text}, err
}

// GenerateSignatureRejectionXml makes a rejection.
func (s *Sandbox) GenerateSignatureRejectionXml(ctx context.Context, r providerapi.GenerateSignatureRejectionXmlRequestObject) (providerapi.GenerateSignatureRejectionXmlResponseObject, error) {
	f, d, err := s.about(ctx, r.Params.BoxId, r.Body.MessageId, r.Body.AttachmentId, "SignatureRejection", value(r.Body.ErrorMessage))
	if err == nil && d.finished() {
		err = fail(http.StatusConflict, "The document flow is completed")
	}
	return providerapi.GenerateSignatureRejectionXml200AsteriskResponse{FileAsteriskResponse: f}, err
}

// ParseSignatureRejectionXml reads a rejection.
func (s *Sandbox) ParseSignatureRejectionXml(_ context.Context, r providerapi.ParseSignatureRejectionXmlRequestObject) (providerapi.ParseSignatureRejectionXmlResponseObject, error) {
	data, err := s.readXML(r.Body)
	if err != nil {
		return nil, err
	}
	g, err := parseGenerated(data, "SignatureRejection")
	return providerapi.ParseSignatureRejectionXml200JSONResponse{ErrorMessage: &g.Text}, err
}

// GenerateUniversalMessage makes a universal message of the user's XML.
func (s *Sandbox) GenerateUniversalMessage(ctx context.Context, r providerapi.GenerateUniversalMessageRequestObject) (providerapi.GenerateUniversalMessageResponseObject, error) {
	o, err := s.mine(ctx, r.Params.BoxId)
	if err != nil {
		return nil, err
	}
	if _, _, err := s.findDocument(o.boxID, r.Params.MessageId, r.Params.AttachmentId); err != nil {
		return nil, err
	}
	user, err := s.readXML(r.Body)
	if err != nil {
		return nil, err
	}
	f, err := xmlAnswer(generated{Message: r.Params.MessageId, Entity: r.Params.AttachmentId, User: user}, "UniversalMessage")
	return providerapi.GenerateUniversalMessage200AsteriskResponse{FileAsteriskResponse: f}, err
}

// ParseUniversalMessageXml gives the user's XML back.
func (s *Sandbox) ParseUniversalMessageXml(_ context.Context, r providerapi.ParseUniversalMessageXmlRequestObject) (providerapi.ParseUniversalMessageXmlResponseObject, error) {
	data, err := s.readXML(r.Body)
	if err != nil {
		return nil, err
	}
	g, err := parseGenerated(data, "UniversalMessage")
	return providerapi.ParseUniversalMessageXml200AsteriskResponse{FileAsteriskResponse: fileAnswer(g.User, xmlType, "user.xml")}, err
}

// GenerateTtGisFixationCancellationRequest makes a cancellation of fixed
// shipment data.
func (s *Sandbox) GenerateTtGisFixationCancellationRequest(ctx context.Context, r providerapi.GenerateTtGisFixationCancellationRequestRequestObject) (providerapi.GenerateTtGisFixationCancellationRequestResponseObject, error) {
	f, _, err := s.about(ctx, r.Params.BoxId, r.Params.MessageId, r.Params.DocumentId, "FixationCancellation", "")
	return providerapi.GenerateTtGisFixationCancellationRequest200AsteriskResponse{FileAsteriskResponse: f}, err
}

// detect says what a file could be: a title of the type that its root element
// names, else a nonformalized document.
func detect(data []byte) exchangeapi.DetectTitleResponse {
	found := exchangeapi.DetectedDocumentTitle{TypeNamedId: "Nonformalized", Function: "default", Version: "v1"}
	var g generated
	if xml.Unmarshal(data, &g) == nil {
		for _, t := range documentTypes {
			if t[0] == g.Type {
				found = exchangeapi.DetectedDocumentTitle{TypeNamedId: t[0], Function: t[2], Version: t[3]}
				_, _ = fmt.Sscanf(g.XMLName.Local, "Title%d", &found.TitleIndex)
			}
		}
	}
	return exchangeapi.DetectTitleResponse{DocumentTitles: &[]exchangeapi.DetectedDocumentTitle{found}}
}

// DetectDocumentTitles looks at a sent file.
func (s *Sandbox) DetectDocumentTitles(ctx context.Context, r providerapi.DetectDocumentTitlesRequestObject) (providerapi.DetectDocumentTitlesResponseObject, error) {
	if _, err := s.mine(ctx, r.Params.BoxId); err != nil {
		return nil, err
	}
	data, err := s.read(r.Body)
	return providerapi.DetectDocumentTitles200JSONResponse(detect(data)), err
}

// DetectDocumentTitlesOnShelf looks at a file on the shelf.
func (s *Sandbox) DetectDocumentTitlesOnShelf(ctx context.Context, r providerapi.DetectDocumentTitlesOnShelfRequestObject) (providerapi.DetectDocumentTitlesOnShelfResponseObject, error) {
	if _, err := s.mine(ctx, r.Params.BoxId); err != nil {
		return nil, err
	}
	data, err := s.content(nil, &r.Params.NameOnShelf)
	return providerapi.DetectDocumentTitlesOnShelf200JSONResponse(detect(data)), err
}
