// A partner's day with the generated TypeScript clients: what docs/partners.md says about lists, locking, errors,
// ratings, uploads, signing and sending, against running services.
import { strict as assert } from 'node:assert';
import { createRating, createVehicle, listVehicles, updateVehicle } from './src/catalog';
import { createClient as createCatalogClient } from './src/catalog/client';
import { createClient as createGatewayClient } from './src/gateway/client';
import { getDssSignResult, getEntityContent, getMessage, initShelfUpload, listDocuments, sendMessage, signWithDssV2, uploadShelfPart } from './src/gateway';

const env = (name: string) => process.env[name] ?? assert.fail(`${name} is not set`);
const auth = ({ type }: { type: string }) => env(type === 'http' ? 'TOKEN' : 'PARTNER_TOKEN');

async function theCatalog() {
  const client = createCatalogClient({ baseUrl: env('CATALOG_URL'), auth });
  const query = { view: 'public', sort: ['brandName,asc'], size: 5 } as const;
  const first = await listVehicles({ client, query: { ...query, sort: [...query.sort] }, throwOnError: true });
  const second = await listVehicles({ client, query: { ...query, sort: [...query.sort], page: 2 }, throwOnError: true });
  assert.equal(first.data.content.length, 5);
  assert.notEqual(first.data.content[0]?.id, second.data.content[0]?.id);

  const body = { equipmentTypeId: env('TYPE_ID'), brandName: 'Liebherr', modelName: 'LTM 1030', releaseYear: 2021, licensePlate: `T${Date.now() % 100000}AA` };
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const created = await createVehicle({ client, body, headers, throwOnError: true });
  const again = await createVehicle({ client, body, headers, throwOnError: true });
  assert.equal(again.data.id, created.data.id);

  const path = { id: created.data.id };
  const ifMatch = { 'If-Match': created.response.headers.get('ETag') ?? '' };
  const changed = await updateVehicle({ client, path, headers: ifMatch, body: { modelName: 'LTM 1040' }, throwOnError: true });
  assert.equal(changed.data.version, 2);
  const late = await updateVehicle({ client, path, headers: ifMatch, body: { modelName: 'LTM 1050' } });
  assert.equal(late.response?.status, 409);
  assert.equal(late.error?.code, 'version_conflict');

  const wrong = await createVehicle({ client, body: { ...body, licensePlate: '?!' }, headers: { 'Idempotency-Key': crypto.randomUUID() } });
  assert.equal(wrong.error?.code, 'license_plate_invalid');
  assert.ok(wrong.error?.details?.['licensePlate']);

  const rating = { score: 4.5, orderId: env('ORDER_ID'), comment: 'On time' };
  await createRating({ client, path: { vehicleId: env('VEHICLE_ID') }, body: rating, headers: { 'Idempotency-Key': crypto.randomUUID() }, throwOnError: true });
}

async function theGateway() {
  const client = createGatewayClient({ baseUrl: env('GATEWAY_URL'), auth });
  const inbox = await listDocuments({ client, query: { filterCategory: 'Any.Inbound', count: 1 }, throwOnError: true });
  assert.ok(inbox.data.TotalCount > 1);
  assert.equal(inbox.data.Documents?.length, 1);

  const text = { parseAs: 'text', throwOnError: true } as const;
  const init = await initShelfUpload({ client, query: { fileExtension: 'txt' }, body: new Blob(['An offer, ']), ...text });
  const name = String(init.data);
  const last = await uploadShelfPart({ client, query: { fileName: name, partIndex: 1, isLastPart: true }, body: new Blob(['in two parts']), ...text });
  assert.equal(last.data, '[]');

  const files = [{ FileName: 'offer.txt', Content: { NameOnShelf: name } }];
  const task = await signWithDssV2({ client, body: { SignDataSource: 'CertificateSign', Files: files }, throwOnError: true });
  let signature: string | undefined;
  while (signature === undefined) {
    const { data, response } = await getDssSignResult({ client, path: { taskId: task.data.TaskId ?? '' }, throwOnError: true });
    if (response.status === 200 && data && data.OperationStatus === 'Completed') signature = data.FileSigningResults?.[0]?.Signature ?? '';
    else await new Promise((done) => setTimeout(done, 200));
  }
  assert.ok(signature);

  const letter = { ToBoxId: env('COUNTERAGENT_BOX'), NonformalizedDocuments: [{ FileName: 'offer.txt', SignedContent: { NameOnShelf: name, Signature: signature } }] };
  const query = { operationId: crypto.randomUUID() };
  const sent = await sendMessage({ client, query, body: letter, throwOnError: true });
  const again = await sendMessage({ client, query, body: letter, throwOnError: true });
  assert.equal(again.data?.MessageId, sent.data?.MessageId);
  const { MessageId: messageId = '', Entities = [] } = sent.data ?? {};
  const content = await getEntityContent({ client, query: { messageId, entityId: Entities[0]?.EntityId ?? '' }, parseAs: 'text', throwOnError: true });
  assert.equal(content.data, 'An offer, in two parts');

  const unknown = await getMessage({ client, query: { messageId: crypto.randomUUID() } });
  assert.equal(unknown.response?.status, 404);
  assert.equal(unknown.error?.code, 'not_found');
}

await theCatalog();
await theGateway();
console.log('the story is told');
