// A partner's day with the generated Java clients: what docs/partners.md says about lists, locking, errors, ratings,
// uploads, signing and sending, against running services.

import com.example.catalog.api.RatingsApi;
import com.example.catalog.api.VehiclesApi;
import com.example.catalog.model.ApiErrorDto;
import com.example.catalog.model.RatingCreate;
import com.example.catalog.model.Vehicle;
import com.example.catalog.model.VehicleCreate;
import com.example.catalog.model.VehiclePage;
import com.example.catalog.model.VehiclePatch;
import com.example.gateway.api.DocumentsAndDocumentTypesApi;
import com.example.gateway.api.DssSigningApi;
import com.example.gateway.api.MessagesApi;
import com.example.gateway.api.ShelfApi;
import com.example.gateway.auth.ApiKeyAuth;
import com.example.gateway.model.ContentV3;
import com.example.gateway.model.DocumentList;
import com.example.gateway.model.DssSignDataSource;
import com.example.gateway.model.DssSignFile;
import com.example.gateway.model.DssSignRequestV2;
import com.example.gateway.model.DssSignResult;
import com.example.gateway.model.Message;
import com.example.gateway.model.MessageToPost;
import com.example.gateway.model.NonformalizedAttachment;
import com.example.gateway.model.SignedContent;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

public final class Story {
    public static void main(String[] args) throws Exception {
        catalog();
        gateway();
        System.out.println("the story is told");
    }

    private static void catalog() throws Exception {
        var client = new com.example.catalog.ApiClient();
        client.setBasePath(System.getenv("CATALOG_URL"));
        client.setBearerToken(System.getenv("TOKEN"));
        var vehicles = new VehiclesApi(client);

        VehiclePage first = vehicles.listVehicles().view("public").sort(List.of("brandName,asc")).size(5).execute();
        VehiclePage second = vehicles.listVehicles().view("public").sort(List.of("brandName,asc")).size(5).page(2).execute();
        check(first.getContent().size() == 5 && second.getCurrentPage() == 2, "two pages");
        check(!first.getContent().get(0).getId().equals(second.getContent().get(0).getId()), "that do not repeat");

        var wanted = new VehicleCreate().equipmentTypeId(UUID.fromString(System.getenv("TYPE_ID"))).brandName("Liebherr").modelName("LTM 1030")
                .releaseYear(2021).licensePlate("B" + System.nanoTime() % 100000 + "AA");
        String key = UUID.randomUUID().toString();
        var created = vehicles.createVehicle(wanted).idempotencyKey(key).executeWithHttpInfo();
        Vehicle again = vehicles.createVehicle(wanted).idempotencyKey(key).execute();
        check(created.getData().getId().equals(again.getId()), "one vehicle for one key");

        UUID id = created.getData().getId();
        String tag = header(created.getHeaders(), "ETag");
        Vehicle changed = vehicles.updateVehicle(id, new VehiclePatch().modelName("LTM 1040")).ifMatch(tag).execute();
        check(changed.getVersion() == 2 && changed.getLicensePlate() != null, "changed, and nothing else");
        ApiErrorDto conflict = failure(409, () -> vehicles.updateVehicle(id, new VehiclePatch().modelName("LTM 1050")).ifMatch(tag).execute());
        check(conflict.getCode().equals("version_conflict"), "somebody was faster");

        ApiErrorDto wrong = failure(422, () -> vehicles.createVehicle(wanted.licensePlate("?!")).idempotencyKey(UUID.randomUUID().toString()).execute());
        check(wrong.getCode().equals("license_plate_invalid") && wrong.getDetails().containsKey("licensePlate"), "an error says where");

        var rating = new RatingCreate().score(4.5).orderId(UUID.fromString(System.getenv("ORDER_ID"))).comment("On time");
        new RatingsApi(client).createRating(UUID.fromString(System.getenv("VEHICLE_ID")), rating).idempotencyKey(UUID.randomUUID().toString()).execute();
    }

    private static void gateway() throws Exception {
        var client = new com.example.gateway.ApiClient();
        client.setBasePath(System.getenv("GATEWAY_URL"));
        client.setBearerToken(System.getenv("TOKEN"));
        ((ApiKeyAuth) client.getAuthentication("partnerAccessToken")).setApiKey(System.getenv("PARTNER_TOKEN"));

        DocumentList inbox = new DocumentsAndDocumentTypesApi(client).listDocuments().filterCategory("Any.Inbound").count(1).execute();
        check(inbox.getTotalCount() > 1 && inbox.getDocuments().size() == 1, "one document of several");
        check(inbox.getDocuments().get(0).getCreationTimestampTicks() > 1L << 53, "ticks with all their digits");

        var shelf = new ShelfApi(client);
        String name = shelf.initShelfUpload(file("An offer, ")).fileExtension("txt").execute();
        shelf.uploadShelfPart(file("in two parts")).fileName(name).partIndex(1).isLastPart(true).execute();

        var dss = new DssSigningApi(client);
        var file = new DssSignFile().fileName("offer.txt").content(new ContentV3().nameOnShelf(name));
        String task = dss.signWithDssV2(new DssSignRequestV2().signDataSource(DssSignDataSource.CERTIFICATE_SIGN).addFilesItem(file)).execute().getTaskId();
        DssSignResult result = dss.getDssSignResult(task).execute();
        while (!"Completed".equals(result.getOperationStatus())) {
            Thread.sleep(200);
            result = dss.getDssSignResult(task).execute();
        }
        byte[] signature = result.getFileSigningResults().get(0).getSignature();

        var messages = new MessagesApi(client);
        var letter = new MessageToPost().toBoxId(System.getenv("COUNTERAGENT_BOX")).addNonformalizedDocumentsItem(new NonformalizedAttachment()
                .fileName("offer.txt").signedContent(new SignedContent().nameOnShelf(name).signature(signature)));
        String operation = UUID.randomUUID().toString();
        Message sent = messages.sendMessage(letter).operationId(operation).execute();
        check(sent.getMessageId().equals(messages.sendMessage(letter).operationId(operation).execute().getMessageId()), "sent once");
        File content = messages.getEntityContent(sent.getMessageId(), sent.getEntities().get(0).getEntityId()).execute();
        check(Files.readString(content.toPath()).equals("An offer, in two parts"), "downloaded as it was uploaded");

        try {
            messages.getMessage("7c9e6679-7425-40de-944b-e07fc1f90ae7").execute();
            throw new AssertionError("there is no such message");
        } catch (com.example.gateway.ApiException e) {
            var problem = com.example.gateway.model.ApiErrorDto.fromJson(e.getResponseBody());
            check(e.getCode() == 404 && problem.getCode().equals("not_found"), "an unknown message");
        }
    }

    private interface Call {
        void make() throws com.example.catalog.ApiException;
    }

    private static ApiErrorDto failure(int status, Call call) throws Exception {
        try {
            call.make();
        } catch (com.example.catalog.ApiException e) {
            check(e.getCode() == status, "status " + e.getCode() + ": " + e.getResponseBody());
            return ApiErrorDto.fromJson(e.getResponseBody());
        }
        throw new AssertionError("no failure, but " + status + " was expected");
    }

    private static String header(java.util.Map<String, List<String>> headers, String name) {
        return headers.entrySet().stream().filter(h -> h.getKey().equalsIgnoreCase(name)).findFirst().orElseThrow().getValue().get(0);
    }

    private static File file(String text) throws Exception {
        Path path = Files.createTempFile("part", ".txt");
        path.toFile().deleteOnExit();
        return Files.writeString(path, text).toFile();
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
