// Documents of the exchange, with the state of each one's flow.
import type { Document } from '@equipment-platform/client/gateway';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { DOCUMENT_LISTS, type DocumentListName } from '../app/places';
import { may, useCaller } from '../app/session';
import { useT } from '../i18n';
import { Empty, Loading, PageHead, Skeleton } from '../ui/basics';
import { Sign } from '../ui/icons';
import { dateOfTicks, partnersQuery, readDocuments } from './exchange';
import { FlowBadge } from './FlowBadge';
import { ExchangeFailure, ExchangeGate } from './Gate';

const route = getRouteApi('/documents');

export function DocumentsPage() {
  const t = useT();
  const caller = useCaller();
  const { list = 'inbound' } = route.useSearch();
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
      <nav className="tabs" aria-label={t('nav.documents')}>
        {DOCUMENT_LISTS.map((name) => (
          <Link key={name} to="/documents" search={{ list: name }} activeOptions={{ exact: true }}>
            {t(`documents.${name}`)}
          </Link>
        ))}
      </nav>
      <Documents key={list} list={list} />
    </ExchangeGate>
  );
}

function Documents({ list }: { list: DocumentListName }) {
  const t = useT();
  const query = useInfiniteQuery({
    queryKey: ['exchange', 'documents', list],
    queryFn: ({ pageParam, signal }) => readDocuments(list, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
  });
  if (query.data === undefined) {
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
        <p>{t(`documents.nothing.${list}`)}</p>
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
  return (
    <tr>
      <td>
        <Link to="/documents/$messageId/$entityId" params={{ messageId: document.MessageId, entityId: document.EntityId }}>
          {document.IsRead === false ? <b>{document.Title}</b> : document.Title}
        </Link>
        {document.FileName !== undefined && <div className="muted small">{document.FileName}</div>}
      </td>
      <td>{partner?.title ?? document.CounteragentBoxId ?? '—'}</td>
      <td className="muted">{t.dateTime(dateOfTicks(document.CreationTimestampTicks))}</td>
      <td>
        <FlowBadge status={document.DocflowStatus} />
      </td>
    </tr>
  );
}
