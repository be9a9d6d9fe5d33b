// Documents of the exchange, with the state of each one's flow.
import type { Document } from '@equipment-platform/client/gateway';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { DOCUMENT_LISTS, type DocumentListName } from '../app/places';
import { may, useCaller } from '../app/session';
import { useT } from '../i18n';
import { Empty, Loading, PageHead, Skeleton } from '../ui/basics';
import { LateText, SelectField, TextField } from '../ui/fields';
import { Sign } from '../ui/icons';
import { ListFailure } from '../ui/states';
import { TabBar } from '../ui/TabBar';
import { countQuery, dateOfTicks, type DocumentFilter, partnersQuery, readDocuments } from './exchange';
import { FlowBadge } from './FlowBadge';
import { ExchangeFailure, ExchangeGate } from './Gate';
import { useDocumentTitle, useNamesLoading } from './names';

const route = getRouteApi('/documents');

export function DocumentsPage() {
  const t = useT();
  const caller = useCaller();
  const navigate = route.useNavigate();
  const { list = 'inbound', ...filter } = route.useSearch();
  return (
    <ExchangeGate>
      <PageHead title={t('nav.documents')} lead={t('documents.lead')}>
        {may(caller, 'EXCHANGE_WRITE') && (
          <Link to="/documents/send" className="button primary">
            <Sign name="plus" size={18} />
            {t('documents.send')}
          </Link>
        )}
      </PageHead>
      <TabBar label={t('nav.documents')}>
        {DOCUMENT_LISTS.map((name) => (
          <Link key={name} to="/documents" search={{ ...filter, list: name }} activeOptions={{ exact: true }}>
            {t(`documents.${name}`)}
            <Count list={name} filter={filter} />
          </Link>
        ))}
      </TabBar>
      <DocumentFilters filter={filter} change={(next) => void navigate({ search: { ...filter, ...next, list }, replace: true, resetScroll: false })} />
      <Documents key={list} list={list} filter={filter} />
    </ExchangeGate>
  );
}

function Count({ list, filter }: { list: DocumentListName; filter: DocumentFilter }) {
  const t = useT();
  const { data } = useQuery(countQuery(list, filter));
  // The room is kept, so that nothing moves when the number comes.
  return <span className="count">{data === undefined ? '\u2007' : t.number(data)}</span>;
}

function DocumentFilters({ filter, change }: { filter: DocumentFilter; change: (next: DocumentFilter) => void }) {
  const t = useT();
  const partners = useQuery(partnersQuery);
  return (
    <form className="filter-row" aria-label={t('filter.title')} onSubmit={(event) => event.preventDefault()}>
      <ListFailure queries={[partners]} />
      <SelectField
        label={t('documents.partner')}
        value={filter.partner ?? ''}
        none={t('filter.any')}
        options={(partners.data ?? []).filter(({ own }) => !own).map(({ boxId, title }) => ({ value: boxId, label: title }))}
        onChange={(partner) => change({ partner: partner || undefined })}
      />
      <LateText label={t('documents.number')} value={filter.number ?? ''} commit={(number) => change({ number: number || undefined })} />
      <TextField label={t('documents.from')} type="date" value={filter.from ?? ''} onChange={(from) => change({ from: from || undefined })} />
      <TextField label={t('documents.to')} type="date" value={filter.to ?? ''} onChange={(to) => change({ to: to || undefined })} />
    </form>
  );
}

function Documents({ list, filter }: { list: DocumentListName; filter: DocumentFilter }) {
  const t = useT();
  const query = useInfiniteQuery({
    queryKey: ['exchange', 'documents', list, filter],
    queryFn: ({ pageParam, signal }) => readDocuments(list, filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
  });
  const namesLoading = useNamesLoading();
  if (query.data === undefined || namesLoading) {
    return query.isError ? (
      <ExchangeFailure error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Loading>
        <Skeleton height="24rem" />
      </Loading>
    );
  }
  const documents = query.data.pages.flatMap((page) => page.documents);
  if (documents.length === 0) {
    return (
      <Empty title={t('documents.nothing')} sign="file">
        <p>{t(Object.values(filter).some((value) => value !== undefined) ? 'documents.nothingFound' : `documents.nothing.${list}`)}</p>
      </Empty>
    );
  }
  return (
    <div className="stack">
      <div className="table-scroll" tabIndex={0} role="region" aria-label={t(`documents.${list}`)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('documents.document')}</th>
              <th scope="col">{t('documents.partner')}</th>
              <th scope="col">{t('documents.received')}</th>
              <th scope="col">{t('documents.state')}</th>
            </tr>
          </thead>
          <tbody>
            {documents.map((document) => (
              <Row key={document.EntityId} document={document} />
            ))}
          </tbody>
        </table>
      </div>
      {query.hasNextPage && (
        <div>
          <button type="button" className="button" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('documents.more')}
          </button>
        </div>
      )}
    </div>
  );
}

function Row({ document }: { document: Document }) {
  const t = useT();
  const partner = useQuery(partnersQuery).data?.find(({ boxId }) => boxId === document.CounteragentBoxId);
  const title = useDocumentTitle()(document);
  return (
    <tr>
      <td>
        <Link to="/documents/$messageId/$entityId" params={{ messageId: document.MessageId, entityId: document.EntityId }}>
          {document.IsRead === false ? <b>{title}</b> : title}
        </Link>
        {document.FileName !== undefined && <div className="muted small">{document.FileName}</div>}
      </td>
      <td data-label={t('documents.partner')}>{partner?.title ?? document.CounteragentBoxId ?? '—'}</td>
      <td className="muted" data-label={t('documents.received')}>{t.dateTime(dateOfTicks(document.CreationTimestampTicks))}</td>
      <td data-label={t('documents.state')}>
        <FlowBadge status={document.DocflowStatus} />
      </td>
    </tr>
  );
}
