package sandbox

// This file: DSS signing, whose tasks take a few polls.

import (
	"context"
	"net/http"

	"equipment-platform/gen/exchangeapi"
	"equipment-platform/gen/providerapi"
)

// dssPolls is how often a signing task is still in progress: the user takes a
// moment to confirm.
const dssPolls = 2

func (s *Sandbox) startSigning(ctx context.Context, box string, files *[]exchangeapi.DssSignFile) (exchangeapi.AsyncMethodResult, error) {
	o, err := s.mine(ctx, box)
	if err != nil {
		return exchangeapi.AsyncMethodResult{}, err
	}
	if len(value(files)) == 0 {
		return exchangeapi.AsyncMethodResult{}, fail(http.StatusBadRequest, "There are no files to sign")
	}
	results := []exchangeapi.DssFileSigningResult{}
	for _, f := range *files {
		content, err := s.contentV3(o, f.Content)
		if err != nil {
			return exchangeapi.AsyncMethodResult{}, err
		}
		results = append(results, exchangeapi.DssFileSigningResult{FileSigningStatus: new("SigningCompleted"), Signature: new(encode(testSignature(content)))})
	}
	id := newID()
	s.store.tasks[id] = &task{kind: "dss", box: o.boxID, result: results}
	return exchangeapi.AsyncMethodResult{TaskId: &id}, nil
}

// DssSign starts signing with a certificate.
func (s *Sandbox) DssSign(ctx context.Context, r providerapi.DssSignRequestObject) (providerapi.DssSignResponseObject, error) {
	if t := value(r.Params.CertificateThumbprint); t != "" && t != demoThumbprint {
		return nil, fail(http.StatusNotFound, "Certificate %s is unknown", t)
	}
	started, err := s.startSigning(ctx, r.Params.BoxId, r.Body.Files)
	return providerapi.DssSign200JSONResponse(started), err
}

// DssSignV2 starts signing with a certificate or the state key.
func (s *Sandbox) DssSignV2(ctx context.Context, r providerapi.DssSignV2RequestObject) (providerapi.DssSignV2ResponseObject, error) {
	started, err := s.startSigning(ctx, r.Params.BoxId, r.Body.Files)
	return providerapi.DssSignV2200JSONResponse(started), err
}

// DssSignResult shows how far a signing task is.
func (s *Sandbox) DssSignResult(ctx context.Context, r providerapi.DssSignResultRequestObject) (providerapi.DssSignResultResponseObject, error) {
	t, err := s.task(ctx, r.Params.BoxId, r.Params.TaskId, "dss")
	if err != nil {
		return nil, err
	}
	answer := providerapi.DssSignResult200JSONResponse{Body: exchangeapi.DssSignResult{OperationStatus: new("InProgress"), ConfirmType: new("Sms"), PhoneLastNumbers: new("42")}}
	if t.polls++; t.polls > dssPolls {
		results := t.result.([]exchangeapi.DssFileSigningResult)
		answer.Body.OperationStatus, answer.Body.FileSigningResults = new("Completed"), &results
	}
	return answer, nil
}
