// The client against a running catalog: credentials, errors, paging, locking, idempotency.
import { ApiError, createCatalogClient, ifMatch, items, pages, updateLatest, VersionConflict } from '@equipment-platform/client';
import {
  countVehicles,
  createGroup,
  createTag,
  createVehicle,
  deleteGroup,
  getGroup,
  getOwnRating,
  getVehicle,
  listGroups,
  listTypes,
  listVehicles,
  replaceOwnRating,
  searchVehicles,
  updateGroup,
  type Vehicle,
} from '@equipment-platform/client/catalog';
import { describe, expect, expectTypeOf, inject, test } from 'vitest';

const baseUrl = inject('catalogUrl');
const tokens = inject('tokens');
const anonymous = createCatalogClient({ baseUrl });
const admin = createCatalogClient({ baseUrl, token: tokens.admin });
const owner = createCatalogClient({ baseUrl, token: tokens.owner });
const customer = createCatalogClient({ baseUrl, token: tokens.customer });

const failure = (call: Promise<unknown>): Promise<unknown> => call.then(() => expect.fail('the call should fail'), (error: unknown) => error);

async function group(name: string) {
  return (await createGroup({ client: admin, body: { name } })).data;
}

describe('answers', () => {
  test('are typed, with the answer itself beside the data', async () => {
    const { data, response } = await listVehicles({ client: anonymous, query: { size: 1, sort: ['brandName,asc'] } });
    expectTypeOf(data.content).toEqualTypeOf<Vehicle[]>();
    expect(data.content).toHaveLength(1);
    expect(data.totalElements).toBeGreaterThan(300);
    expect(response.headers.get('X-Request-Id')).toBeTruthy();
  });

  test('a repeated query parameter is sent repeatedly', async () => {
    const { data } = await listVehicles({ client: anonymous, query: { size: 100, sort: ['brandName,desc', 'modelName,asc'] } });
    const brands = data.content.map(({ brandName }) => brandName);
    expect(brands).toEqual([...brands].sort(new Intl.Collator('en').compare).reverse());
  });

  test('a body is sent as JSON', async () => {
    const { data } = await searchVehicles({ client: anonymous, body: { query: 'dig a trench', topK: 3 } });
    expect(data.matches.length).toBeLessThanOrEqual(3);
  });
});

describe('token provider', () => {
  test('is asked for every call and may take its time', async () => {
    let asked = 0;
    const client = createCatalogClient({ baseUrl, token: async () => (asked++, tokens.owner) });
    await listVehicles({ client, query: { view: 'own', size: 1 } });
    const { data } = await listVehicles({ client, query: { view: 'own', size: 1 } });
    expect(asked).toBe(2);
    expect(data.content[0]?.ownerUserId).toBe('owner-01');
  });

  test('may have none: the call is anonymous', async () => {
    const client = createCatalogClient({ baseUrl, token: () => undefined });
    expect(await failure(listVehicles({ client, query: { view: 'own' } }))).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

describe('errors', () => {
  test('have code, path, request id and message', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const error = await failure(getVehicle({ client: anonymous, path: { id } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: 'ApiError', status: 404, code: 'not_found', details: {}, path: `/api/v1/vehicles/${id}` });
    expect((error as ApiError).requestId).toBeTruthy();
    expect((error as ApiError).message).not.toBe('');
    expect(Date.parse((error as ApiError).timestamp ?? '')).not.toBeNaN();
  });

  test('name the fields', async () => {
    const { data: types } = await listTypes({ client: anonymous, query: { size: 1 } });
    const body = { equipmentTypeId: types.content[0]?.id ?? '', brandName: ' ', modelName: 'X', photoFileIds: ['no-uuid'] };
    const error = (await failure(createVehicle({ client: owner, body }))) as ApiError;
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(Object.keys(error.details).sort()).toEqual(['brandName', 'photoFileIds[0]']);
  });

  test('tell the missing role from the missing token', async () => {
    expect(await failure(createGroup({ client: anonymous, body: { name: 'x' } }))).toMatchObject({ status: 401 });
    expect(await failure(createGroup({ client: owner, body: { name: 'x' } }))).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('can be taken as a value instead', async () => {
    const { error, data } = await listGroups({ client: anonymous, query: { size: 1000 }, throwOnError: false });
    expect(data).toBeUndefined();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, details: { size: expect.any(String) } });
  });
});

describe('paging', () => {
  test('items walks over all pages, nothing twice', async () => {
    const seen = new Set<string>();
    for await (const { id } of items((page) => listVehicles({ client: anonymous, query: { page, size: 100 } }))) {
      expect(seen.has(id)).toBe(false);
      seen.add(id);
    }
    expect(seen.size).toBe((await countVehicles({ client: anonymous })).data.count);
  });

  test('stops reading when the caller has enough', async () => {
    let read = 0;
    for await (const type of items((page) => (read++, listTypes({ client: anonymous, query: { page, size: 5 } })))) {
      expect(type.title).toBeTruthy();
      if (read === 2) break;
    }
    expect(read).toBe(2);
  });

  test('an empty list is one empty page', async () => {
    const found = [];
    for await (const page of pages((number) => listVehicles({ client: anonymous, query: { page: number, brandName: 'nobody makes this' } }))) found.push(page);
    expect(found).toEqual([{ content: [], currentPage: 1, pageSize: 50, totalElements: 0 }]);
  });
});

describe('locking', () => {
  test('a stale version is a VersionConflict and changes nothing', async () => {
    const created = await group('locked');
    const { data: changed } = await updateGroup({ client: admin, path: { id: created.id }, headers: ifMatch(created), body: { name: 'first' } });
    expect(changed.version).toBe(created.version + 1);
    const error = await failure(updateGroup({ client: admin, path: { id: created.id }, headers: ifMatch(created.version), body: { name: 'second' } }));
    expect(error).toBeInstanceOf(VersionConflict);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: 'VersionConflict', status: 409, code: 'version_conflict' });
    expect((await getGroup({ client: anonymous, path: { id: created.id } })).data.name).toBe('first');
  });

  test('another 409 is not a version conflict', async () => {
    await createTag({ client: admin, body: { name: 'taken already' } });
    const error = await failure(createTag({ client: admin, body: { name: 'Taken Already' } }));
    expect(error).toMatchObject({ status: 409, code: 'duplicate' });
    expect(error).not.toBeInstanceOf(VersionConflict);
  });

  test('updateLatest starts again when somebody was faster', async () => {
    const created = await group('a');
    const path = { id: created.id };
    let tries = 0;
    const result = await updateLatest(
      () => getGroup({ client: admin, path }),
      async (current, headers) => {
        if (tries++ === 0) await updateGroup({ client: admin, path, body: { name: `${current.name}b` } });
        return updateGroup({ client: admin, path, headers, body: { name: `${current.name}c` } });
      },
    );
    expect(tries).toBe(2);
    expect(result.name).toBe('abc');
  });

  test('updateLatest gives up after its tries, and at once on another error', async () => {
    const created = await group('contended');
    const path = { id: created.id };
    let tries = 0;
    const write = async (_: unknown, headers: { 'If-Match': string }) => {
      tries++;
      await updateGroup({ client: admin, path, body: { name: `contended ${tries}` } });
      return updateGroup({ client: admin, path, headers, body: { name: 'never' } });
    };
    expect(await failure(updateLatest(() => getGroup({ client: admin, path }), write, 2))).toBeInstanceOf(VersionConflict);
    expect(tries).toBe(2);
    await deleteGroup({ client: admin, path });
    expect(await failure(updateLatest(() => getGroup({ client: admin, path }), write))).toMatchObject({ status: 404 });
  });
});

test('an Idempotency-Key makes a repeated creation one', async () => {
  const headers = { 'Idempotency-Key': `client-test-${Date.now()}` };
  const first = await createGroup({ client: admin, headers, body: { name: 'once' } });
  const second = await createGroup({ client: admin, headers, body: { name: 'once' } });
  expect(second.data.id).toBe(first.data.id);
  expect(second.response.headers.get('Idempotency-Replayed')).toBe('true');
});

test('the own rating of a vehicle can be read and replaced', async () => {
  for await (const { id, ratingCount } of items((page) => listVehicles({ client: anonymous, query: { page, size: 100, minRatingCount: 1 } }))) {
    const own = await getOwnRating({ client: customer, path: { vehicleId: id }, throwOnError: false });
    if (own.data === undefined) continue;
    const { data } = await replaceOwnRating({ client: customer, path: { vehicleId: id }, headers: ifMatch(own.data), body: { score: 3.5, comment: null } });
    expect(data).toMatchObject({ score: 3.5, comment: null, authorUserId: 'customer-01', version: own.data.version + 1 });
    expect(ratingCount).toBeGreaterThan(0);
    return;
  }
  expect.fail('the demo catalogue has ratings of customer-01');
});
