// Lists that fill the controls of the catalogue's forms; reading them takes a signed-in caller.
import { items } from '@equipment-platform/client';
import { listParams, listUnits, type Param, type MeasurementUnit } from '@equipment-platform/client/catalog';
import { queryOptions } from '@tanstack/react-query';
import { catalog } from '../app/api';

export const unitsQuery = queryOptions({
  queryKey: ['units', 'all'],
  queryFn: async ({ signal }) => {
    const list: MeasurementUnit[] = [];
    for await (const unit of items((page) => listUnits({ client: catalog(), signal, query: { page, size: 100, sort: ['code,asc'] } }))) list.push(unit);
    return list;
  },
});

export const paramsQuery = queryOptions({
  queryKey: ['params', 'all'],
  queryFn: async ({ signal }) => {
    const list: Param[] = [];
    for await (const param of items((page) => listParams({ client: catalog(), signal, query: { page, size: 100, sort: ['name,asc'] } }))) list.push(param);
    return list;
  },
});
