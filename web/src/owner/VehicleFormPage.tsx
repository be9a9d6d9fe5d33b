// Creating and changing a vehicle.
import { ifMatch } from '@equipment-platform/client';
import { createVehicle, deleteVehicle, getVehicle, updateVehicle, type Vehicle } from '@equipment-platform/client/catalog';
import { type FetchQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { catalog, FOR_A_FORM } from '../app/api';
import { useCreationKey } from '../app/creationKey';
import { may, useCaller } from '../app/session';
import { categoriesQuery, tagsQuery, typeQuery, typesQuery } from '../catalog/data';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { PageHead, Skeleton } from '../ui/basics';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { Guard, Shown } from '../ui/states';
import { createBody, type Draft, draftOf, EMPTY, type ParamField, patchBody } from './draft';
import { VehicleForm } from './VehicleForm';

const editRoute = getRouteApi('/mine/$id');

export function NewVehiclePage() {
  const t = useT();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { key, settled } = useCreationKey();
  const create = useMutation({
    mutationFn: async ({ draft, fields }: { draft: Draft; fields: ParamField[] }) =>
      (await createVehicle({ client: catalog(), headers: { 'Idempotency-Key': key }, body: createBody(draft, fields) })).data,
    onSuccess: async (vehicle) => {
      await queries.invalidateQueries({ queryKey: ['vehicles'] });
      toast(t('vehicle.created'));
      await navigate({ to: '/equipment/$id', params: { id: vehicle.id } });
    },
    onSettled: settled,
  });
  return (
    <Guard permission="VEHICLE_WRITE">
      <PageHead title={t('vehicle.new')} lead={t('vehicle.newLead')} crumbs={<Link to="/mine">{t('nav.mine')}</Link>} />
      <VehicleForm
        start={EMPTY}
        error={create.error}
        sending={create.isPending}
        save={(draft, fields) => create.mutate({ draft, fields })}
        submit={t('vehicle.publish')}
      />
    </Guard>
  );
}

export function EditVehiclePage() {
  return (
    <Guard permission="VEHICLE_WRITE">
      <Edit />
    </Guard>
  );
}

function Edit() {
  const { id } = editRoute.useParams();
  const queries = useQueryClient();
  const caller = useCaller();
  const query = useQuery({
    queryKey: ['vehicles', id, 'edit'],
    // The owner's view has hidden links too; administrators see everything without asking for a view.
    queryFn: async ({ signal }) => {
      const { data } = await getVehicle({ client: catalog(), signal, path: { id }, query: may(caller, 'VEHICLE_STAFF_READ') ? {} : { view: 'own' } });
      // What fills the form's controls comes first, so that nothing moves afterwards; each says its own failure.
      await Promise.allSettled([typeQuery(data.equipmentTypeId), typesQuery, categoriesQuery, tagsQuery].map((query) => queries.prefetchQuery(query as FetchQueryOptions)));
      return data;
    },
    ...FOR_A_FORM,
  });
  return (
    <Shown query={query} skeleton={<Skeleton height="40rem" />}>
      {(vehicle) => <EditForm key={vehicle.version} vehicle={vehicle} reload={() => void query.refetch()} />}
    </Shown>
  );
}

function EditForm({ vehicle, reload }: { vehicle: Vehicle; reload: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const start = draftOf(vehicle);
  const common = { client: catalog(), path: { id: vehicle.id }, headers: ifMatch(vehicle) };
  const save = useMutation({
    mutationFn: async ({ draft, fields }: { draft: Draft; fields: ParamField[] }) => {
      await updateVehicle({ ...common, body: patchBody(start, draft, fields) });
    },
    onSuccess: async () => {
      toast(t('vehicle.saved'));
      await navigate({ to: '/equipment/$id', params: { id: vehicle.id } });
      await queries.invalidateQueries({ queryKey: ['vehicles'] });
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteVehicle(common),
    onSuccess: async () => {
      toast(t('vehicle.deleted'));
      await navigate({ to: '/mine' });
      await queries.invalidateQueries({ queryKey: ['vehicles'] });
    },
  });
  const name = `${vehicle.brandName} ${vehicle.modelName}`;
  return (
    <>
      <PageHead title={name} crumbs={<Link to="/mine">{t('nav.mine')}</Link>}>
        <Link to="/equipment/$id" params={{ id: vehicle.id }} className="button">
          {t('vehicle.view')}
        </Link>
      </PageHead>
      <VehicleForm
        start={start}
        vehicle={vehicle}
        error={save.error}
        sending={save.isPending}
        save={(draft, fields) => save.mutate({ draft, fields })}
        reload={() => {
          save.reset();
          reload();
        }}
        submit={t('action.save')}
      >
        <button type="button" className="button danger" onClick={() => setAsking(true)}>
          {t('action.delete')}
        </button>
      </VehicleForm>
      {asking && (
        <ConfirmDialog
          title={t('vehicle.deleteTitle', { name })}
          text={t('vehicle.deleteText')}
          error={remove.error}
          busy={remove.isPending}
          confirm={() => remove.mutate()}
          close={() => {
            remove.reset();
            setAsking(false);
          }}
        />
      )}
    </>
  );
}
