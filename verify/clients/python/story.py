"""A partner's day with the generated Python clients: what docs/partners.md says about lists, locking, errors, ratings,
uploads, signing and sending, against running services."""
import os
import time
import uuid
from io import BytesIO

from catalog_client import AuthenticatedClient as CatalogClient
from catalog_client.api.ratings import create_rating
from catalog_client.api.vehicles import create_vehicle, list_vehicles, update_vehicle
from catalog_client.models import ListVehiclesView, RatingCreate, VehicleCreate, VehiclePatch
from gateway_client import AuthenticatedClient as GatewayClient
from gateway_client.api.documents_and_document_types import list_documents
from gateway_client.api.dss_signing import get_dss_sign_result, sign_with_dss_v2
from gateway_client.api.messages import get_entity_content, get_message, send_message
from gateway_client.api.shelf import init_shelf_upload, upload_shelf_part
from gateway_client.models import (
    ContentV3,
    DssSignDataSource,
    DssSignFile,
    DssSignRequestV2,
    MessageToPost,
    NonformalizedAttachment,
    SignedContent,
)
from gateway_client.types import File


def catalog() -> None:
    client = CatalogClient(base_url=os.environ["CATALOG_URL"], token=os.environ["TOKEN"])
    pages = [list_vehicles.sync(client=client, view=ListVehiclesView.PUBLIC, sort=["brandName,asc"], size=5, page=page) for page in (1, 2)]
    assert len(pages[0].content) == 5, pages[0]
    assert pages[0].content[0].id != pages[1].content[0].id

    wanted = VehicleCreate(
        equipment_type_id=uuid.UUID(os.environ["TYPE_ID"]), brand_name="Liebherr", model_name="LTM 1030", release_year=2021,
        license_plate=f"P{time.time_ns() % 100000:05}AA",
    )
    key = str(uuid.uuid4())
    created = create_vehicle.sync_detailed(client=client, body=wanted, idempotency_key=key)
    again = create_vehicle.sync_detailed(client=client, body=wanted, idempotency_key=key)
    assert created.status_code == 201 and again.parsed.id == created.parsed.id, created.content

    vehicle, tag = created.parsed.id, created.headers["ETag"]
    changed = update_vehicle.sync(vehicle, client=client, if_match=tag, body=VehiclePatch(model_name="LTM 1040"))
    assert changed.version == 2, changed
    late = update_vehicle.sync_detailed(vehicle, client=client, if_match=tag, body=VehiclePatch(model_name="LTM 1050"))
    assert late.status_code == 409 and late.parsed.code == "version_conflict", late.content

    wanted.license_plate = "?!"
    wrong = create_vehicle.sync(client=client, body=wanted, idempotency_key=str(uuid.uuid4()))
    assert wrong.code == "license_plate_invalid" and "licensePlate" in wrong.details.additional_properties, wrong

    rating = RatingCreate(score=4.5, order_id=uuid.UUID(os.environ["ORDER_ID"]), comment="On time")
    rated = create_rating.sync_detailed(uuid.UUID(os.environ["VEHICLE_ID"]), client=client, body=rating, idempotency_key=str(uuid.uuid4()))
    assert rated.status_code == 201, rated.content


def gateway() -> None:
    client = GatewayClient(
        base_url=os.environ["GATEWAY_URL"], token=os.environ["TOKEN"], headers={"X-Partner-Access-Token": os.environ["PARTNER_TOKEN"]},
    )
    inbox = list_documents.sync(client=client, filter_category="Any.Inbound", count=1)
    assert inbox.total_count > 1 and len(inbox.documents) == 1, inbox
    assert inbox.documents[0].creation_timestamp_ticks > 2**53

    name = init_shelf_upload.sync_detailed(client=client, body=File(payload=BytesIO(b"An offer, ")), file_extension="txt").content.decode()
    last = upload_shelf_part.sync_detailed(
        client=client, body=File(payload=BytesIO(b"in two parts")), file_name=name, part_index=1, is_last_part=True,
    )
    assert last.content == b"[]", last.content

    files = [DssSignFile(file_name="offer.txt", content=ContentV3(name_on_shelf=name))]
    task = sign_with_dss_v2.sync(client=client, body=DssSignRequestV2(sign_data_source=DssSignDataSource.CERTIFICATESIGN, files=files))
    while True:
        result = get_dss_sign_result.sync(task.task_id, client=client)
        if result and result.operation_status == "Completed":
            break
        time.sleep(0.2)
    signed = SignedContent(name_on_shelf=name, signature=result.file_signing_results[0].signature)

    letter = MessageToPost(
        to_box_id=os.environ["COUNTERAGENT_BOX"], nonformalized_documents=[NonformalizedAttachment(file_name="offer.txt", signed_content=signed)],
    )
    operation = str(uuid.uuid4())
    sent = send_message.sync(client=client, body=letter, operation_id=operation)
    assert send_message.sync(client=client, body=letter, operation_id=operation).message_id == sent.message_id
    content = get_entity_content.sync(client=client, message_id=sent.message_id, entity_id=sent.entities[0].entity_id)
    assert content.payload.read() == b"An offer, in two parts"
    unknown = get_message.sync_detailed(client=client, message_id=str(uuid.uuid4()))
    assert unknown.status_code == 404 and unknown.parsed.code == "not_found", unknown.content


catalog()
gateway()
print("the story is told")
