// What can be done with a list as a whole: keep it, pass it on, take it along.
import { items } from '@equipment-platform/client';
import { listVehicles, type Vehicle } from '@equipment-platform/client/catalog';
import { useMutation } from '@tanstack/react-query';
import { catalog, queries } from '../app/api';
import type { BrowseSearch } from '../app/places';
import { saveSearch, useShelf } from '../app/shelf';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { describe } from '../ui/errors';
import { Sign } from '../ui/icons';
import { filtersOf } from './criteria';
import { csv, save } from './csv';
import { titlesOf, titlesQuery } from './data';

/** A file holds so many machines at most. */
const MOST_ROWS = 2000;

export function ListTools({ search, name, matches }: { search: BrowseSearch; name: string; matches?: readonly Vehicle[] | undefined }) {
  const t = useT();
  const saved = useShelf('searches').some(({ query }) => query === location.search);
  const download = useMutation({
    mutationFn: async () => {
      const vehicles = matches ?? (await every(search));
      const titles = titlesOf(await queries.fetchQuery(titlesQuery));
      const names = [...new Map(vehicles.flatMap(({ params }) => params).map((param) => [param.paramId, param])).values()];
      const head = ['vehicle.brand', 'vehicle.model', 'vehicle.type', 'vehicle.year', 'filter.rating', 'filter.reviews', 'vehicle.plate', 'vehicle.owner'] as const;
      const rows = vehicles.map((vehicle) => [
        vehicle.brandName,
        vehicle.modelName,
        t.called(titles[vehicle.equipmentTypeId] ?? ''),
        vehicle.releaseYear,
        vehicle.ratingCount === 0 ? null : vehicle.ratingAvg,
        vehicle.ratingCount,
        vehicle.licensePlate,
        vehicle.ownerUserId,
        ...names.map(({ paramId }) => {
          const value = vehicle.params.find((param) => param.paramId === paramId)?.value ?? null;
          return typeof value === 'boolean' ? t(value ? 'value.yes' : 'value.no') : value;
        }),
        `${location.origin}/equipment/${vehicle.id}`,
      ]);
      const titled = names.map(({ name, unit }) => (unit === undefined ? t.called(name) : t('filter.inUnit', { name: t.called(name), unit: t.unit(unit.code) })));
      save(`${t('browse.fileName')}.csv`, csv([[...head.map((key) => t(key)), ...titled, t('browse.address')], ...rows]));
    },
    onError: (error) => toast(describe(error, t)),
  });
  return (
    <div className="row tools-row">
      <button
        type="button"
        className="button small quiet"
        disabled={saved}
        onClick={() => {
          saveSearch({ name, query: location.search });
          toast(t('shelf.searchSaved'));
        }}
      >
        <Sign name={saved ? 'check' : 'heart'} size={16} />
        {t(saved ? 'shelf.searchIsSaved' : 'shelf.saveSearch')}
      </button>
      <CopyLink small />
      <button type="button" className="button small quiet" disabled={download.isPending} onClick={() => download.mutate()}>
        <Sign name="down" size={16} />
        {t('browse.csv')}
      </button>
    </div>
  );
}

async function every(search: BrowseSearch): Promise<Vehicle[]> {
  const list: Vehicle[] = [];
  const query = { view: 'public' as const, size: 100, sort: [search.sort ?? 'createdAt,desc'], ...filtersOf(search) };
  for await (const vehicle of items((page) => listVehicles({ client: catalog(), query: { ...query, page } }))) {
    list.push(vehicle);
    if (list.length === MOST_ROWS) break;
  }
  return list;
}

export function CopyLink({ small = false }: { small?: boolean }) {
  const t = useT();
  return (
    <button
      type="button"
      className={small ? 'button small quiet' : 'button'}
      onClick={() =>
        navigator.clipboard.writeText(location.href).then(
          () => toast(t('browse.copied')),
          () => toast(t('browse.notCopied')),
        )
      }
    >
      <Sign name="link" size={small ? 16 : 18} />
      {t('browse.copy')}
    </button>
  );
}
