// One document: what it is, how far its flow is, and signing it.
import type { Document, DocumentWithDocflowV5 } from '@equipment-platform/client/gateway';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { may, useCaller } from '../app/session';
import { useT } from '../i18n';
import { Loading, PageHead, Skeleton } from '../ui/basics';
import { AnswerPanel } from './AnswerPanel';
import { DocumentActions } from './DocumentActions';
import { dateOfProvider, dateOfTicks, docflowQuery, documentQuery, partnersQuery } from './exchange';
import { FlowBadge } from './FlowBadge';
import { ExchangeFailure, ExchangeGate } from './Gate';
import { useDocumentTitle, useNamesLoading, useTypeName } from './names';
import { Timeline } from './Timeline';

const route = getRouteApi('/documents/$messageId/$entityId');

export function DocumentPage() {
  return (
    <ExchangeGate>
      <Details />
    </ExchangeGate>
  );
}

function Details() {
  const { messageId, entityId } = route.useParams();
  const query = useQuery(documentQuery(messageId, entityId));
  const flow = useQuery(docflowQuery(messageId, entityId));
  const namesLoading = useNamesLoading();
  // One that was read once stays while a later reading fails.
  const failed = [query, flow].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) return <ExchangeFailure page error={failed.error} retry={() => void failed.refetch()} />;
  if (query.data === undefined || flow.data === undefined || namesLoading) {
    return (
      <Loading>
        <div className="page-head">
          <Skeleton height="4rem" width="24rem" />
        </div>
        <div className="vehicle">
          <Skeleton height="20rem" />
          <Skeleton height="14rem" />
        </div>
      </Loading>
    );
  }
  return <Loaded document={query.data} flow={flow.data} />;
}

function Loaded({ document, flow }: { document: Document; flow: DocumentWithDocflowV5 | null }) {
  const t = useT();
  const caller = useCaller();
  const partner = useQuery(partnersQuery).data?.find(({ boxId }) => boxId === document.CounteragentBoxId);
  const title = useDocumentTitle()(document);
  const facts: [string, React.ReactNode][] = [
    [t('documents.partner'), partner?.title ?? document.CounteragentBoxId ?? '—'],
    [t('documents.direction'), t.maybe(`documents.direction.${document.DocumentDirection ?? ''}`) ?? document.DocumentDirection ?? '—'],
    [t('documents.type'), useTypeName()(document.TypeNamedId)],
    [t('documents.number'), document.DocumentNumber ?? '—'],
    [t('documents.date'), document.DocumentDate === undefined ? '—' : t.date(dateOfProvider(document.DocumentDate))],
    [t('documents.file'), document.FileName ?? '—'],
    [t('documents.received'), t.dateTime(dateOfTicks(document.CreationTimestampTicks))],
  ];
  return (
    <article>
      <PageHead title={title} crumbs={<Link to="/documents">{t('nav.documents')}</Link>}>
        <FlowBadge status={flow?.Docflow.DocflowStatus ?? document.DocflowStatus} />
        <DocumentActions document={document} title={title} />
      </PageHead>
      <div className="vehicle">
        <section className="stack">
          <h2>{t('flow.title')}</h2>
          {flow === null ? <p className="muted">{t('flow.none')}</p> : <Timeline flow={flow} />}
        </section>
        <div className="stack">
          {flow !== null && may(caller, 'EXCHANGE_WRITE') && <AnswerPanel document={document} flow={flow} title={title} />}
          <section className="panel">
            <dl className="facts">
              {facts.map(([name, value]) => (
                <Fact key={name} name={name} value={value} />
              ))}
            </dl>
          </section>
        </div>
      </div>
    </article>
  );
}

function Fact({ name, value }: { name: string; value: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
