// Photo and document links of a vehicle for its owner: which are shown, and removing one.
import { ifMatch } from '@equipment-platform/client';
import {
  deleteVehicleDoc,
  deleteVehiclePhoto,
  listVehicleDocs,
  listVehiclePhotos,
  updateVehicleDoc,
  updateVehiclePhoto,
  type Vehicle,
  type VehicleLink,
} from '@equipment-platform/client/catalog';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { catalog } from '../app/api';
import { useT } from '../i18n';
import { Skeleton, Visibility } from '../ui/basics';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { Failure, Shown } from '../ui/states';

const CALLS = {
  photos: { list: listVehiclePhotos, update: updateVehiclePhoto, remove: deleteVehiclePhoto },
  docs: { list: listVehicleDocs, update: updateVehicleDoc, remove: deleteVehicleDoc },
};

export function Links({ vehicle, kind }: { vehicle: Vehicle; kind: keyof typeof CALLS }) {
  const query = useQuery({
    queryKey: ['vehicles', vehicle.id, kind],
    queryFn: async ({ signal }) => (await CALLS[kind].list({ client: catalog(), signal, path: { vehicleId: vehicle.id } })).data,
  });
  return (
    <Shown query={query} skeleton={<Skeleton height={`${3 * vehicle[kind === 'photos' ? 'photoFileIds' : 'docFileIds'].length}rem`} />}>
      {(links) => (
        <ul className="ordered">
          {links.map((link) => (
            <LinkRow key={link.id} link={link} kind={kind} />
          ))}
        </ul>
      )}
    </Shown>
  );
}

function LinkRow({ link, kind }: { link: VehicleLink; kind: keyof typeof CALLS }) {
  const t = useT();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const common = { client: catalog(), path: { vehicleId: link.vehicleId, id: link.id }, headers: ifMatch(link) };
  const mutation = useMutation({
    mutationFn: async (change: 'toggle' | 'remove') => {
      if (change === 'remove') await CALLS[kind].remove(common);
      else await CALLS[kind].update({ ...common, body: { isActive: !link.isActive } });
    },
    onSettled: (_, error) => {
      if (error === null) setAsking(false);
      return queries.invalidateQueries({ queryKey: ['vehicles'] });
    },
  });
  const close = () => {
    mutation.reset();
    setAsking(false);
  };
  return (
    <>
      <li>
        <span className="mono">{link.fileId}</span>
        <Visibility active={link.isActive} />
        <button type="button" className="button small" disabled={mutation.isPending} onClick={() => mutation.mutate('toggle')}>
          {t(link.isActive ? 'action.hide' : 'action.show')}
        </button>
        <button type="button" className="button small danger" disabled={mutation.isPending} onClick={() => setAsking(true)}>
          {t('action.remove')}
        </button>
      </li>
      {mutation.isError && !asking && (
        <li>
          <Failure error={mutation.error} />
        </li>
      )}
      {asking && (
        <li>
          <ConfirmDialog
            title={t(kind === 'photos' ? 'links.removePhoto' : 'links.removeDoc')}
            text={t('links.removeText')}
            action={t('action.remove')}
            error={mutation.error}
            busy={mutation.isPending}
            confirm={() => mutation.mutate('remove')}
            close={close}
            reload={close}
          />
        </li>
      )}
    </>
  );
}
