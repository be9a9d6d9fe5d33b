// Pictures and documents of one machine: adding, ordering, describing, hiding and deleting them.
import { ifMatch } from '@equipment-platform/client';
import { listVehicleDocs, listVehiclePhotos, updateVehicle, type Vehicle, type VehicleLink } from '@equipment-platform/client/catalog';
import { useMutation, useMutationState, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { catalog, queries, readAgain } from '../app/api';
import { describedQuery } from '../app/filesClient';
import { hasFiles } from '../app/files';
import { useCaller } from '../app/session';
import { ownVehicle } from '../catalog/data';
import { useType } from '../catalog/VehicleCard';
import { useT } from '../i18n';
import { PageHead, Skeleton } from '../ui/basics';
import { Failure, Guard, Shown } from '../ui/states';
import { FileTiles } from './FileTiles';
import { UploadBox } from './UploadBox';
import type { LinkKind } from './uploads';

const route = getRouteApi('/mine/$id/files');
const MOST_FILES = 20;
const LIST = { photos: listVehiclePhotos, docs: listVehicleDocs };

export function FilesPage() {
  return (
    <Guard permission="VEHICLE_WRITE">
      <Files />
    </Guard>
  );
}

function Files() {
  const t = useT();
  const { id } = route.useParams();
  const caller = useCaller();
  const query = useQuery({ queryKey: ['vehicles', id, 'own'], queryFn: ({ signal }) => ownVehicle(id, caller, signal) });
  return (
    <Shown page query={query} skeleton={<Skeleton height="40rem" />}>
      {(vehicle) => (
        <>
          <PageHead
            title={`${vehicle.brandName} ${vehicle.modelName}`}
            lead={t('files.lead')}
            crumbs={
              <>
                <Link to="/mine">{t('nav.mine')}</Link>
                {' / '}
                {t('files.title')}
              </>
            }
          >
            <Link to="/mine/$id" params={{ id }} className="button">
              {t('action.edit')}
            </Link>
            <Link to="/equipment/$id" params={{ id }} className="button primary">
              {t('files.done')}
            </Link>
          </PageHead>
          <div className="stack wide">
            <Section vehicle={vehicle} kind="photos" />
            <Section vehicle={vehicle} kind="docs" />
          </div>
        </>
      )}
    </Shown>
  );
}

function Section({ vehicle, kind }: { vehicle: Vehicle; kind: LinkKind }) {
  const t = useT();
  const query = useQuery({
    queryKey: ['vehicles', vehicle.id, kind],
    queryFn: async ({ signal }) => {
      const { data } = await LIST[kind]({ client: catalog(), signal, path: { vehicleId: vehicle.id } });
      // What they are comes with them, so that nothing moves; a failure of that leaves the files.
      const described = describedQuery(data.map(({ fileId }) => fileId));
      if (described.enabled === true) await queries.prefetchQuery(described);
      return data;
    },
  });
  const files = kind === 'photos' ? vehicle.photoFileIds : vehicle.docFileIds;
  return (
    <section className="stack" aria-labelledby={kind}>
      <h2 id={kind}>{t(kind === 'photos' ? 'vehicle.photos' : 'vehicle.docs')}</h2>
      <Shown query={query} skeleton={<TileSkeletons count={files.length} />}>
        {(links) => <Linked vehicle={vehicle} kind={kind} links={links} />}
      </Shown>
    </section>
  );
}

function TileSkeletons({ count }: { count: number }) {
  return (
    <div className="stack">
      <div className="tiles">
        {Array.from({ length: count }, (_, index) => (
          <Skeleton key={index} height="20.7rem" />
        ))}
      </div>
      <Skeleton height="12rem" />
    </div>
  );
}

function Linked({ vehicle, kind, links }: { vehicle: Vehicle; kind: LinkKind; links: VehicleLink[] }) {
  const t = useT();
  const { machine } = useType(vehicle.equipmentTypeId);
  const caller = useCaller();
  const mutationKey = ['vehicles', vehicle.id, kind, 'order'];
  const described = useQuery(describedQuery(links.map(({ fileId }) => fileId)));
  const order = useMutation({
    mutationKey,
    // One after the other: each is compared with what the one before has left.
    scope: { id: mutationKey.join('/') },
    mutationFn: async (next: VehicleLink[]) => {
      const ids = next.map(({ fileId }) => fileId);
      const body = kind === 'photos' ? { photoFileIds: ids } : { docFileIds: ids };
      const now = await ownVehicle(vehicle.id, caller);
      const there = kind === 'photos' ? now.photoFileIds : now.docFileIds;
      // Somebody added or removed one meanwhile: their list is shown instead of losing it.
      if (there.length !== ids.length || there.some((id) => !ids.includes(id))) return;
      await updateVehicle({ client: catalog(), path: { id: vehicle.id }, headers: ifMatch(now), body });
    },
    // It ends when the new order has been read, so that none that is over comes between.
    onSettled: () => readAgain(['vehicles']),
  });
  const asked = useMutationState({ filters: { mutationKey, status: 'pending' }, select: ({ state }) => state.variables as VehicleLink[] }).at(-1);
  const shown = arranged(links, asked);
  return (
    <>
      {links.length === 0 && <p className="muted">{t(kind === 'photos' ? 'files.noPhotos' : 'files.noDocs')}</p>}
      {order.isError && <Failure error={order.error} />}
      <FileTiles kind={kind} links={shown} described={described.data ?? {}} machine={machine} order={order.mutate} />
      {hasFiles() && <UploadBox vehicleId={vehicle.id} kind={kind} room={MOST_FILES - links.length} />}
    </>
  );
}

/**
 * The links in the order that is being saved. It is laid over what was read instead of written into it: a list that
 * was on its way when the order changed would undo it, and what is typed then would go to another picture.
 */
function arranged(links: VehicleLink[], asked: readonly VehicleLink[] = []): VehicleLink[] {
  const place = new Map(asked.map(({ id }, index) => [id, index]));
  return [...links].sort((a, b) => (place.get(a.id) ?? place.size) - (place.get(b.id) ?? place.size));
}
