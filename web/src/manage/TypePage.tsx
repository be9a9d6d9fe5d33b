// Creating and changing a type: its categories, the parameters that it asks for, its tags.
import { ifMatch } from '@equipment-platform/client';
import { createType, getType, replaceType, type EquipmentType, type TypeRequest } from '@equipment-platform/client/catalog';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { catalog, FOR_A_FORM, readAgain } from '../app/api';
import { useCreationKey } from '../app/creationKey';
import { toast } from '../app/toast';
import { categoriesQuery, groupsQuery, tagsQuery } from '../catalog/data';
import { useT } from '../i18n';
import { PageHead, Skeleton } from '../ui/basics';
import { ConflictDialog, type Line } from '../ui/ConflictDialog';
import { type FormErrors, formErrors } from '../ui/errors';
import { CheckField, ChoicesField, SubmitButton, TextField } from '../ui/fields';
import { Form, FormFailure, type FormState, useForm, type Work } from '../ui/form';
import { Guard, ListFailure, Shown } from '../ui/states';
import { paramsQuery } from './data';
import { IconField } from './IconField';
import { TypeParams } from './TypeParams';

const editRoute = getRouteApi('/manage/types/$id');
const FIELDS = ['title', 'iconFileId', 'isActive', 'categoryIds', 'params', 'searchTagIds'];

interface Draft {
  title: string;
  icon: string;
  active: boolean;
  categories: readonly string[];
  params: readonly string[];
  tags: readonly string[];
}

function draftOf(type: EquipmentType | undefined): Draft {
  return {
    title: type?.title ?? '',
    icon: type?.iconFileId ?? '',
    active: type?.isActive ?? true,
    categories: type?.categoryIds ?? [],
    params: type?.params.map(({ id }) => id) ?? [],
    tags: type?.searchTagIds ?? [],
  };
}

function bodyOf(draft: Draft): TypeRequest {
  return {
    title: draft.title,
    iconFileId: draft.icon.trim() === '' ? null : draft.icon.trim(),
    isActive: draft.active,
    categoryIds: [...draft.categories],
    params: draft.params.map((paramId) => ({ paramId })),
    searchTagIds: [...draft.tags],
  };
}

export function NewTypePage() {
  const t = useT();
  return (
    <Guard permission="VEHICLE_WRITE">
      <PageHead title={t('type.new')} lead={t('type.lead')} crumbs={<BackLink />} />
      <TypeForm type={undefined} />
    </Guard>
  );
}

export function EditTypePage() {
  return (
    <Guard permission="VEHICLE_WRITE">
      <Edit />
    </Guard>
  );
}

async function readType(id: string, signal?: AbortSignal): Promise<EquipmentType> {
  return (await getType({ client: catalog(), ...(signal && { signal }), path: { id } })).data;
}

function Edit() {
  const { id } = editRoute.useParams();
  const query = useQuery({ queryKey: ['types', id, 'edit'], queryFn: ({ signal }) => readType(id, signal), ...FOR_A_FORM });
  return (
    <Shown page query={query} skeleton={<Skeleton height="40rem" />}>
      {(type) => (
        <>
          <PageHead title={type.title} crumbs={<BackLink />} />
          <TypeForm key={type.id} type={type} />
        </>
      )}
    </Shown>
  );
}

function BackLink() {
  const t = useT();
  return (
    <Link to="/manage/$resource" params={{ resource: 'types' }}>
      {t('manage.types')}
    </Link>
  );
}

function TypeForm({ type }: { type: EquipmentType | undefined }) {
  const t = useT();
  const navigate = useNavigate();
  const form = useForm(`type/${type?.id ?? 'new'}`, draftOf(type), type?.version);
  const { draft, change } = form;
  const [tried, setTried] = useState(false);
  const { key, settled } = useCreationKey();
  const save = useMutation({
    mutationFn: async ({ draft, version = 0 }: Work<Draft>) => {
      const body = bodyOf(draft);
      if (type === undefined) await createType({ client: catalog(), headers: { 'Idempotency-Key': key }, body });
      else await replaceType({ client: catalog(), path: { id: type.id }, headers: ifMatch(version), body });
    },
    onSuccess: async () => {
      form.saved();
      toast(t('manage.saved'));
      await navigate({ to: '/manage/$resource', params: { resource: 'types' } });
      await readAgain(['types']);
    },
    onSettled: settled,
  });
  const failed: FormErrors = formErrors(save.error, t, FIELDS);
  const missing: Record<string, string> = {
    ...(draft.title.trim() === '' && { title: t('form.required') }),
    ...(draft.categories.length === 0 && { categoryIds: t('field.category_required') }),
  };
  const errors: Record<string, string> = { ...failed.fields, ...(tried && missing) };
  return (
    <>
      <Form
        form={form}
        errors={errors}
        busy={save.isPending}
        submit={() => {
          setTried(true);
          if (Object.keys(missing).length === 0) save.mutate(form);
        }}
      >
        <TextField label={t('manage.titleField')} value={draft.title} onChange={(title) => change({ title })} error={errors['title']} maxLength={255} required />
        <Categories draft={draft} change={change} error={errors['categoryIds']} />
        <Params draft={draft} change={change} error={errors['params']} />
        <Tags draft={draft} change={change} error={errors['searchTagIds']} />
        <IconField of={type?.id} value={draft.icon} onChange={(icon) => change({ icon })} error={errors['iconFileId']} />
        <CheckField label={t('manage.isActiveField')} checked={draft.active} onChange={(active) => change({ active })} error={errors['isActive']} />
        <div className="form-actions">
          <FormFailure failed={failed} errors={errors} />
          <SubmitButton>{type === undefined ? t('action.create') : t('action.save')}</SubmitButton>
        </div>
      </Form>
      {type !== undefined && <TypeConflict id={type.id} error={save.error} form={form} save={save.mutate} reset={save.reset} />}
    </>
  );
}

interface ConflictProps {
  id: string;
  error: unknown;
  form: FormState<Draft>;
  save: (work: Work<Draft>) => void;
  reset: () => void;
}

function TypeConflict({ id, ...rest }: ConflictProps) {
  const t = useT();
  const categories = useQuery(categoriesQuery).data ?? [];
  const tags = useQuery(tagsQuery).data ?? [];
  const params = useQuery(paramsQuery).data ?? [];
  const names = (list: readonly { id: string; name: string }[], chosen: readonly string[]) => chosen.map((one) => list.find(({ id }) => id === one)?.name ?? one).map(t.called).join(', ');
  const lines = (draft: Draft): Line[] => [
    { name: t('manage.titleField'), text: draft.title },
    { name: t('manage.categories'), text: names(categories, draft.categories) },
    { name: t('manage.params'), text: names(params, draft.params) },
    { name: t('manage.tags'), text: names(tags, draft.tags) },
    { name: t('manage.icon'), text: draft.icon },
    { name: t('manage.isActiveField'), text: t(draft.active ? 'value.yes' : 'value.no') },
  ];
  const read = async () => {
    const type = await readType(id);
    return { draft: draftOf(type), version: type.version };
  };
  return <ConflictDialog {...rest} read={read} lines={lines} />;
}

interface PartProps {
  draft: Draft;
  change: (next: Partial<Draft>) => void;
  error: string | undefined;
}

function Categories({ draft, change, error }: PartProps) {
  const t = useT();
  const groups = useQuery(groupsQuery).data ?? [];
  const query = useQuery(categoriesQuery);
  const categories = query.data ?? [];
  return (
    <>
      <ListFailure queries={[query]} />
      <ChoicesField
        label={t('manage.categories')}
        hint={t('type.categoriesHint')}
        options={categories.map(({ id, name, groupId }) => ({ value: id, label: t.called(name), group: t.called(groups.find((group) => group.id === groupId)?.name ?? '') }))}
        chosen={draft.categories}
        onChange={(chosen) => change({ categories: chosen })}
        error={error}
        required
      />
    </>
  );
}

function Params({ draft, change, error }: PartProps) {
  const params = useQuery(paramsQuery);
  return (
    <Shown query={params} skeleton={<Skeleton height="14rem" />}>
      {(all) => <TypeParams all={all} chosen={draft.params} onChange={(chosen) => change({ params: chosen })} error={error} />}
    </Shown>
  );
}

function Tags({ draft, change, error }: PartProps) {
  const t = useT();
  const query = useQuery(tagsQuery);
  const tags = query.data ?? [];
  return (
    <>
      <ListFailure queries={[query]} />
      <ChoicesField
        label={t('manage.tags')}
        options={tags.map(({ id, name }) => ({ value: id, label: t.called(name) }))}
        chosen={draft.tags}
        onChange={(chosen) => change({ tags: chosen })}
        error={error}
      />
    </>
  );
}
