//go:build ignore

// Command story is a partner's day with the generated Go clients: what
// docs/partners.md says about lists, locking, errors, ratings, uploads, signing and
// sending, against running services.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/partner/catalog"
	"example.com/partner/gateway"
)

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := theCatalog(ctx); err != nil {
		log.Fatal("catalog: ", err)
	}
	if err := theGateway(ctx); err != nil {
		log.Fatal("gateway: ", err)
	}
	fmt.Println("the story is told")
}

func authorize(_ context.Context, r *http.Request) error {
	r.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	r.Header.Set("X-Partner-Access-Token", os.Getenv("PARTNER_TOKEN"))
	return nil
}

func theCatalog(ctx context.Context) error {
	client, err := catalog.NewClientWithResponses(os.Getenv("CATALOG_URL"), catalog.WithRequestEditorFn(authorize))
	if err != nil {
		return err
	}
	var firsts []uuid.UUID
	for page := range 2 {
		answer, err := client.ListVehiclesWithResponse(ctx, &catalog.ListVehiclesParams{
			View: new(catalog.ListVehiclesParamsViewPublic), Sort: &[]string{"brandName,asc"}, Size: new(catalog.Size(5)), Page: new(catalog.Page(page + 1)),
		})
		if err != nil {
			return err
		}
		if answer.JSON200 == nil || len(answer.JSON200.Content) != 5 {
			return fmt.Errorf("page %d: %s", page+1, answer.Status())
		}
		firsts = append(firsts, answer.JSON200.Content[0].Id)
	}
	if firsts[0] == firsts[1] {
		return fmt.Errorf("two pages that repeat")
	}

	wanted := catalog.VehicleCreate{
		EquipmentTypeId: uuid.MustParse(os.Getenv("TYPE_ID")), BrandName: "Liebherr", ModelName: "LTM 1030", ReleaseYear: new(int32(2021)),
		LicensePlate: new(fmt.Sprintf("G%05dAA", time.Now().UnixNano()%100000)),
	}
	key := uuid.NewString()
	created, err := client.CreateVehicleWithResponse(ctx, &catalog.CreateVehicleParams{IdempotencyKey: &key}, wanted)
	if err != nil || created.JSON201 == nil {
		return fmt.Errorf("create: %s: %s %w", created.Status(), created.Body, err)
	}
	again, err := client.CreateVehicleWithResponse(ctx, &catalog.CreateVehicleParams{IdempotencyKey: &key}, wanted)
	if err != nil || again.JSON201 == nil || again.JSON201.Id != created.JSON201.Id {
		return fmt.Errorf("create again: %s %w", again.Status(), err)
	}

	id, tag := created.JSON201.Id, created.HTTPResponse.Header.Get("ETag")
	change := func(model string) (*catalog.UpdateVehicleResponse, error) {
		return client.UpdateVehicleWithResponse(ctx, id, &catalog.UpdateVehicleParams{IfMatch: &tag}, catalog.VehiclePatch{ModelName: &model})
	}
	changed, err := change("LTM 1040")
	if err != nil || changed.JSON200 == nil || changed.JSON200.Version != 2 {
		return fmt.Errorf("change: %s: %s %w", changed.Status(), changed.Body, err)
	}
	late, err := change("LTM 1050")
	if err != nil || late.JSON409 == nil || late.JSON409.Code != "version_conflict" {
		return fmt.Errorf("late change: %s: %s %w", late.Status(), late.Body, err)
	}

	wanted.LicensePlate = new("?!")
	wrong, err := client.CreateVehicleWithResponse(ctx, &catalog.CreateVehicleParams{IdempotencyKey: new(uuid.NewString())}, wanted)
	if err != nil || wrong.JSON422 == nil || wrong.JSON422.Code != "license_plate_invalid" || (*wrong.JSON422.Details)["licensePlate"] == "" {
		return fmt.Errorf("wrong plate: %s: %s %w", wrong.Status(), wrong.Body, err)
	}

	rating := catalog.RatingCreate{Score: 4.5, OrderId: uuid.MustParse(os.Getenv("ORDER_ID")), Comment: new("On time")}
	rated, err := client.CreateRatingWithResponse(ctx, uuid.MustParse(os.Getenv("VEHICLE_ID")), &catalog.CreateRatingParams{IdempotencyKey: new(uuid.NewString())}, rating)
	if err != nil || rated.JSON201 == nil {
		return fmt.Errorf("rate: %s: %s %w", rated.Status(), rated.Body, err)
	}
	return nil
}

func theGateway(ctx context.Context) error {
	client, err := gateway.NewClientWithResponses(os.Getenv("GATEWAY_URL"), gateway.WithRequestEditorFn(authorize))
	if err != nil {
		return err
	}
	inbox, err := client.ListDocumentsWithResponse(ctx, &gateway.ListDocumentsParams{FilterCategory: new("Any.Inbound"), Count: new(int32(1))})
	if err != nil || inbox.JSON200 == nil || inbox.JSON200.TotalCount < 2 || len(*inbox.JSON200.Documents) != 1 {
		return fmt.Errorf("list: %s: %s %w", inbox.Status(), inbox.Body, err)
	}
	if (*inbox.JSON200.Documents)[0].CreationTimestampTicks < 1<<53 {
		return fmt.Errorf("ticks that lost digits")
	}

	const binary = "application/octet-stream"
	init, err := client.InitShelfUploadWithBodyWithResponse(ctx, &gateway.InitShelfUploadParams{FileExtension: new("txt")}, binary, strings.NewReader("An offer, "))
	if err != nil || init.StatusCode() != http.StatusOK {
		return fmt.Errorf("upload: %s: %s %w", init.Status(), init.Body, err)
	}
	name := string(init.Body)
	part, err := client.UploadShelfPartWithBodyWithResponse(ctx, &gateway.UploadShelfPartParams{
		FileName: &name, PartIndex: new(int32(1)), IsLastPart: new(true),
	}, binary, strings.NewReader("in two parts"))
	if err != nil || string(part.Body) != "[]" {
		return fmt.Errorf("last part: %s: %s %w", part.Status(), part.Body, err)
	}

	task, err := client.SignWithDssV2WithResponse(ctx, nil, gateway.DssSignRequestV2{
		SignDataSource: gateway.CertificateSign, Files: &[]gateway.DssSignFile{{FileName: new("offer.txt"), Content: gateway.ContentV3{NameOnShelf: &name}}},
	})
	if err != nil || task.JSON200 == nil {
		return fmt.Errorf("sign: %s: %s %w", task.Status(), task.Body, err)
	}
	var signature []byte
	for signature == nil {
		result, err := client.GetDssSignResultWithResponse(ctx, *task.JSON200.TaskId, nil)
		if err != nil || result.JSON200 == nil {
			return fmt.Errorf("poll: %s: %s %w", result.Status(), result.Body, err)
		}
		if *result.JSON200.OperationStatus == "Completed" {
			signature = *(*result.JSON200.FileSigningResults)[0].Signature
			break
		}
		time.Sleep(200 * time.Millisecond)
	}

	letter := gateway.MessageToPost{ToBoxId: new(os.Getenv("COUNTERAGENT_BOX")), NonformalizedDocuments: &[]gateway.NonformalizedAttachment{{
		FileName: "offer.txt", SignedContent: gateway.SignedContent{NameOnShelf: &name, Signature: &signature},
	}}}
	var sent []string
	operation := uuid.NewString()
	for range 2 {
		answer, err := client.SendMessageWithResponse(ctx, &gateway.SendMessageParams{OperationId: &operation}, letter)
		if err != nil || answer.JSON200 == nil {
			return fmt.Errorf("send: %s: %s %w", answer.Status(), answer.Body, err)
		}
		sent = []string{answer.JSON200.MessageId, (*answer.JSON200.Entities)[0].EntityId}
	}
	content, err := client.GetEntityContentWithResponse(ctx, &gateway.GetEntityContentParams{MessageId: sent[0], EntityId: sent[1]})
	if err != nil || string(content.Body) != "An offer, in two parts" {
		return fmt.Errorf("download: %s: %s %w", content.Status(), content.Body, err)
	}
	unknown, err := client.GetMessageWithResponse(ctx, &gateway.GetMessageParams{MessageId: uuid.NewString()})
	if err != nil || unknown.JSON404 == nil || unknown.JSON404.Code != "not_found" {
		return fmt.Errorf("an unknown message: %s: %s %w", unknown.Status(), unknown.Body, err)
	}
	return nil
}
