// Creating and changing a vehicle.
import { ifMatch } from '@equipment-platform/client';
import { createVehicle, deleteVehicle, updateVehicle, type Vehicle } from '@equipment-platform/client/catalog';
import { type FetchQueryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { catalog, FOR_A_FORM, queries, readAgain } from '../app/api';
import { hasFiles } from '../app/files';
import { useCreationKey } from '../app/creationKey';
import { noted } from '../app/hidden';
import { useCaller } from '../app/session';
import { categoriesQuery, ownVehicle, tagsQuery, typeQuery, typesQuery, vehicleQuery } from '../catalog/data';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { PageHead, Skeleton } from '../ui/basics';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { useForm, type Work } from '../ui/form';
import { Guard, Shown } from '../ui/states';
import { createBody, type Draft, draftOf, EMPTY, type ParamField, patchBody } from './draft';
import { VehicleForm } from './VehicleForm';

const newRoute = getRouteApi('/mine/new');
const editRoute = getRouteApi('/mine/$id');

interface Saving extends Work<Draft> {
  fields: ParamField[];
}

export function NewVehiclePage() {
  const t = useT();
  const { copy } = newRoute.useSearch();
  return (
    <Guard permission="VEHICLE_WRITE">
      <PageHead title={t('vehicle.new')} lead={t('vehicle.newLead')} crumbs={<Link to="/mine">{t('nav.mine')}</Link>} />
      {copy === undefined ? <NewForm start={EMPTY} /> : <Copied id={copy} />}
    </Guard>
  );
}

/** A new machine like one that is there: what is of that one alone (plate, files) is left out. */
function Copied({ id }: { id: string }) {
  const caller = useCaller();
  const query = useQuery({ ...vehicleQuery(id, caller), ...FOR_A_FORM });
  return (
    <Shown query={query} skeleton={<Skeleton height="40rem" />}>
      {(vehicle) => <NewForm key={vehicle.id} name={`vehicle/like/${vehicle.id}`} start={{ ...draftOf(vehicle), plate: '', photos: [], docs: [] }} />}
    </Shown>
  );
}

function NewForm({ start, name = 'vehicle' }: { start: Draft; name?: string }) {
  const t = useT();
  const navigate = useNavigate();
  const form = useForm(name, start);
  const { key, settled } = useCreationKey();
  const create = useMutation({
    mutationFn: async ({ draft, fields }: Saving) =>
      noted((await createVehicle({ client: catalog(), headers: { 'Idempotency-Key': key }, body: createBody(draft, fields) })).data),
    onSuccess: async (vehicle) => {
      form.saved();
      await readAgain(['vehicles']);
      toast(t('vehicle.created'));
      // Its pictures come next; they need to know whose they are.
      await navigate({ to: hasFiles() ? '/mine/$id/files' : '/equipment/$id', params: { id: vehicle.id } });
    },
    onSettled: settled,
  });
  return (
    <VehicleForm
      form={form}
      error={create.error}
      sending={create.isPending}
      save={(work, fields) => create.mutate({ ...work, fields })}
      reset={create.reset}
      submit={t('vehicle.publish')}
    />
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
  const caller = useCaller();
  const read = (signal?: AbortSignal) => ownVehicle(id, caller, signal);
  const query = useQuery({
    queryKey: ['vehicles', id, 'edit'],
    queryFn: async ({ signal }) => {
      const data = await read(signal);
      // What fills the form's controls comes first, so that nothing moves afterwards; each says its own failure.
      await Promise.allSettled([typeQuery(data.equipmentTypeId), typesQuery, categoriesQuery, tagsQuery].map((query) => queries.prefetchQuery(query as FetchQueryOptions)));
      return data;
    },
    ...FOR_A_FORM,
  });
  return (
    <Shown page query={query} skeleton={<Skeleton height="40rem" />}>
      {(vehicle) => <EditForm key={vehicle.id} vehicle={vehicle} read={read} />}
    </Shown>
  );
}

function EditForm({ vehicle, read }: { vehicle: Vehicle; read: () => Promise<Vehicle> }) {
  const t = useT();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const form = useForm(`vehicle/${vehicle.id}`, draftOf(vehicle), vehicle.version);
  const at = (version = vehicle.version) => ({ client: catalog(), path: { id: vehicle.id }, headers: ifMatch(version) });
  const save = useMutation({
    mutationFn: async ({ draft, base, version, fields }: Saving) => {
      noted((await updateVehicle({ ...at(version), body: patchBody(base, draft, fields) })).data);
    },
    onSuccess: async () => {
      form.saved();
      toast(t('vehicle.saved'));
      await navigate({ to: '/equipment/$id', params: { id: vehicle.id } });
      await readAgain(['vehicles']);
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteVehicle(at(form.version)),
    onSuccess: async () => {
      form.saved();
      toast(t('vehicle.deleted'));
      await navigate({ to: '/mine' });
      await readAgain(['vehicles']);
    },
  });
  const name = `${vehicle.brandName} ${vehicle.modelName}`;
  return (
    <>
      <PageHead title={name} crumbs={<Link to="/mine">{t('nav.mine')}</Link>}>
        <Link to="/mine/new" search={{ copy: vehicle.id }} className="button">
          {t('mine.copy')}
        </Link>
        <Link to="/mine/$id/files" params={{ id: vehicle.id }} className="button">
          {t('files.title')}
        </Link>
        <Link to="/equipment/$id" params={{ id: vehicle.id }} className="button">
          {t('vehicle.view')}
        </Link>
      </PageHead>
      <VehicleForm
        form={form}
        vehicle={vehicle}
        error={save.error}
        sending={save.isPending}
        save={(work, fields) => save.mutate({ ...work, fields })}
        reset={save.reset}
        read={read}
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
