// One kind of the catalogue's records as a table.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fileUrl, hasFiles } from '../app/files';
import { RESOURCES, type Resource } from '../app/places';
import { may, useCaller } from '../app/session';
import { groupsQuery } from '../catalog/data';
import { NotFoundPage } from '../app/failures';
import { useT } from '../i18n';
import { Empty, PageHead, Skeleton } from '../ui/basics';
import { Sign } from '../ui/icons';
import { PastTheEnd, Pager } from '../ui/Pager';
import { Guard, Shown } from '../ui/states';
import { TabBar } from '../ui/TabBar';
import { LateText } from '../ui/fields';
import { Changed } from './Changed';
import { DeleteRecord, RecordForm } from './RecordDialogs';
import { type Column, type Kind, kindOf, type Record_ } from './resources';
import { Pick, PickAll, Several, type Together, usePicked } from './Several';
import { Uses } from './Uses';

const route = getRouteApi('/manage/$resource');
const SIZE = 20;

const together = (key: Resource, { activate, remove }: Kind<Record_>): Together<Record_> => ({
  key,
  ...(activate !== undefined && { activate: { on: 'manage.takeIn' as const, off: 'manage.takeOut' as const, set: activate } }),
  remove,
  changed: 'manage.changedRecords',
  deleteTitle: 'manage.deleteRecords',
  deleteText: 'manage.deleteText',
});

export function ResourcePage() {
  const { resource } = route.useParams();
  const known = RESOURCES.find((one) => one === resource);
  if (known === undefined) return <NotFoundPage />;
  return (
    <Guard permission="VEHICLE_WRITE">
      <Tabs />
      <Table key={known} resource={known} />
    </Guard>
  );
}

export function Tabs() {
  const t = useT();
  const caller = useCaller();
  return (
    <TabBar label={t('nav.manage')}>
      {may(caller, 'CATALOG_WRITE') && <Link to="/manage/vehicles">{t('manage.vehicles')}</Link>}
      {RESOURCES.map((resource) => (
        <Link key={resource} to="/manage/$resource" params={{ resource }} activeOptions={{ includeSearch: false }}>
          {t(`manage.${resource}`)}
        </Link>
      ))}
    </TabBar>
  );
}

function Table({ resource }: { resource: Resource }) {
  const t = useT();
  const kind = kindOf(resource);
  const caller = useCaller();
  const search = route.useSearch();
  const { page = 1, sort = kind.defaultSort, find } = search;
  const navigate = route.useNavigate();
  // What is open stands in the address, so that a sign-in in between comes back to it.
  const open = (open: string | undefined) => void navigate({ search: { ...search, open }, resetScroll: false });
  const [deleting, setDeleting] = useState<Record_>();
  const admin = may(caller, 'CATALOG_WRITE');
  // Owners add the types that they miss, and change those that they added.
  const writable = admin || (resource === 'types' && may(caller, 'VEHICLE_WRITE'));
  const mayChange = (record: Record_) => admin || (writable && record.createdBy === caller?.subject);
  const query = useQuery({
    queryKey: [resource, 'table', page, sort, find],
    queryFn: async ({ signal }) => (await kind.list({ page, size: SIZE, sort: [sort], ...(find !== undefined && { [kind.find]: find }) }, signal)).data,
    placeholderData: keepPreviousData,
  });
  // A name may take two lines: rows come with the names of their groups, so that they do not move.
  const groups = useQuery({ ...groupsQuery, enabled: kind.columns.some((column) => column.kind === 'group') });
  const go = (next: number) => void navigate({ search: { sort, find, page: next } });
  const edited = query.data?.content.find((record) => record.id === search.open && mayChange(record));
  const picked = usePicked(query.data?.content ?? []);
  return (
    <>
      <PageHead title={t(kind.title)} lead={t(kind.lead)}>
        {writable && <CreateButton kind={kind} open={() => open('new')} />}
      </PageHead>
      <div className="results" aria-busy={query.isPlaceholderData}>
        <div className="filter-row">
          <LateText label={t('manage.find')} value={find ?? ''} commit={(text) => void navigate({ search: { sort, find: text || undefined }, resetScroll: false, replace: true })} />
        </div>
        <p role="status" className="muted">
          {query.isPlaceholderData ? t('state.updating') : query.data === undefined ? '\u00a0' : t('manage.found', { count: query.data.totalElements })}
        </p>
        <Shown query={groups.isLoading ? { ...query, data: undefined } : query} skeleton={<Skeleton height="40rem" />}>
          {({ content, currentPage, pageSize, totalElements }) =>
            content.length === 0 && totalElements > 0 ? (
              <PastTheEnd page={currentPage} size={pageSize} total={totalElements} go={go} />
            ) : content.length === 0 ? (
              <Empty title={t(find === undefined ? 'manage.nothing' : 'manage.nothingFound')} sign={find === undefined ? 'plus' : 'search'}>
                {writable && find === undefined && <CreateButton kind={kind} open={() => open('new')} />}
              </Empty>
            ) : (
              <>
                {admin && <Several picked={picked} together={together(resource, kind)} />}
                <div className="table-scroll" tabIndex={0} role="region" aria-label={t(kind.title)}>
                  <table>
                    <thead>
                      <tr>
                        {admin && <PickAll picked={picked} records={content} />}
                        {kind.columns.map((column) => (
                          <Heading key={column.label} column={column} sort={sort} change={(next) => void navigate({ search: { sort: next, find }, resetScroll: false })} />
                        ))}
                        {content.some(mayChange) && (
                          <th>
                            <span className="visually-hidden">{t('manage.actions')}</span>
                          </th>
                        )}
                      </tr>
                    </thead>
                    <tbody>
                      {content.map((record) => (
                        <tr key={record.id}>
                          {admin && <Pick picked={picked} record={record} name={kind.name(record)} />}
                          {kind.columns.map((column) => (
                            <td key={column.label} data-label={t(column.label)}>
                              <Cell resource={resource} column={column} record={record} />
                            </td>
                          ))}
                          {content.some(mayChange) && (
                            <td className="actions">
                              {mayChange(record) && <RowActions kind={kind} record={record} edit={() => open(record.id)} remove={() => setDeleting(record)} />}
                            </td>
                          )}
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
                <Pager page={currentPage} size={pageSize} total={totalElements} go={go} />
              </>
            )
          }
        </Shown>
      </div>
      {writable && search.open === 'new' && <RecordForm resource={resource} record={undefined} close={() => open(undefined)} />}
      {edited !== undefined && <RecordForm key={edited.id} resource={resource} record={edited} close={() => open(undefined)} />}
      {deleting !== undefined && <DeleteRecord resource={resource} record={deleting} replace={setDeleting} close={() => setDeleting(undefined)} />}
    </>
  );
}

function CreateButton({ kind, open }: { kind: Kind<Record_>; open: () => void }) {
  const t = useT();
  const label = (
    <>
      <Sign name="plus" size={18} />
      {t('action.create')}
    </>
  );
  if (kind.form === undefined) {
    return (
      <Link to="/manage/types/new" className="button primary">
        {label}
      </Link>
    );
  }
  return (
    <button type="button" className="button primary" onClick={open}>
      {label}
    </button>
  );
}

function RowActions({ kind, record, edit, remove }: { kind: Kind<Record_>; record: Record_; edit: () => void; remove: () => void }) {
  const t = useT();
  const name = kind.name(record);
  return (
    <div className="row">
      {kind.form === undefined ? (
        <Link to="/manage/types/$id" params={{ id: record.id }} className="button small" aria-label={t('manage.edit', { name })}>
          {t('action.edit')}
        </Link>
      ) : (
        <button type="button" className="button small" aria-label={t('manage.edit', { name })} onClick={edit}>
          {t('action.edit')}
        </button>
      )}
      <button type="button" className="button small danger" aria-label={t('manage.delete', { name })} onClick={remove}>
        {t('action.delete')}
      </button>
    </div>
  );
}

function Heading({ column, sort, change }: { column: Column<Record_>; sort: string; change: (sort: string) => void }) {
  const t = useT();
  if (column.sort === undefined) return <th scope="col">{t(column.label)}</th>;
  const [field, direction] = sort.split(',');
  const current = field === column.sort;
  return (
    <th scope="col" aria-sort={!current ? 'none' : direction === 'desc' ? 'descending' : 'ascending'}>
      <button type="button" className="sort" onClick={() => change(`${column.sort},${current && direction === 'asc' ? 'desc' : 'asc'}`)}>
        {t(column.label)}
        {current && <Sign name={direction === 'desc' ? 'down' : 'up'} size={14} />}
      </button>
    </th>
  );
}

function Cell({ resource, column, record }: { resource: Resource; column: Column<Record_>; record: Record_ }) {
  const t = useT();
  const value = column.value(record);
  switch (column.kind) {
    case 'active':
      return <span className={`badge ${value === true ? 'ok' : 'warn'}`}>{t(value === true ? 'manage.active' : 'manage.inactive')}</span>;
    case 'check':
      return <>{t(value === true ? 'value.yes' : 'value.no')}</>;
    case 'changed':
      return <Changed at={String(value)} by={column.by?.(record) ?? ''} />;
    case 'uses':
      return <Uses resource={resource} id={record.id} />;
    case 'valueType':
      return <>{t.maybe(`valueType.${value}`) ?? value}</>;
    case 'group':
      return <GroupName id={String(value)} />;
    default: {
      const icon = column.icon?.(record) ?? null;
      return (
        <>
          {icon !== null && hasFiles() && <img className="icon-picture" src={fileUrl(icon, 160)} alt="" width={28} height={28} loading="lazy" />}
          {typeof value === 'number' ? t.number(value) : value}
          {/* what is stored is what is changed here; what readers of this language see stands below it */}
          {typeof value === 'string' && t.called(value) !== value && <div className="muted small">{t.called(value)}</div>}
        </>
      );
    }
  }
}

function GroupName({ id }: { id: string }) {
  const t = useT();
  return <>{t.called(useQuery(groupsQuery).data?.find((group) => group.id === id)?.name ?? '…')}</>;
}
