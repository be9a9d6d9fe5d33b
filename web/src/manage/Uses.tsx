// How many machines use a type, a tag or a parameter.
import { listVehicles } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { catalog } from '../app/api';
import type { BrowseSearch, Resource } from '../app/places';
import { may, useCaller } from '../app/session';
import { useT } from '../i18n';

const FILTERS: Partial<Record<Resource, (id: string) => { equipmentTypeId?: string; searchTagId?: string[]; param?: string[] }>> = {
  types: (id) => ({ equipmentTypeId: id }),
  tags: (id) => ({ searchTagId: [id] }),
  params: (id) => ({ param: [`${id},any`] }),
};
const SEARCHES: Partial<Record<Resource, (id: string) => BrowseSearch>> = {
  types: (id) => ({ type: id }),
  tags: (id) => ({ tag: [id] }),
  params: (id) => ({ param: [`${id},any`] }),
};

/** Of everybody's machines; hidden ones too for administrators. */
export function Uses({ resource, id }: { resource: Resource; id: string }) {
  const t = useT();
  const all = may(useCaller(), 'CATALOG_WRITE');
  const query = useQuery({
    queryKey: ['vehicles', 'uses', resource, id],
    queryFn: async ({ signal }) =>
      (await listVehicles({ client: catalog(), signal, query: { size: 1, ...(!all && { view: 'public' as const }), ...FILTERS[resource]?.(id) } })).data.totalElements,
    staleTime: 60_000,
  });
  if (query.data === undefined) return <>…</>;
  return query.data === 0 ? (
    <>{t.number(0)}</>
  ) : (
    <Link to="/equipment" search={SEARCHES[resource]?.(id) ?? {}}>
      {t.number(query.data)}
    </Link>
  );
}
