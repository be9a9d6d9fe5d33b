// One document: what it is, how far its flow is, and signing it.
import { getEntityContent, type Document, type DocumentWithDocflowV5 } from '@equipment-platform/client/gateway';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { may, useCaller } from '../app/session';
import { useT } from '../i18n';
import { Loading, Notice, PageHead, Skeleton } from '../ui/basics';
import { describe } from '../ui/errors';
import { dateOfTicks, docflowQuery, documentQuery, gateway, partnersQuery } from './exchange';
import { FlowBadge } from './FlowBadge';
import { ExchangeFailure, ExchangeGate } from './Gate';
import { SignPanel } from './SignPanel';
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
  if (query.isError) return <ExchangeFailure error={query.error} retry={() => void query.refetch()} />;
  if (flow.isError) return <ExchangeFailure error={flow.error} retry={() => void flow.refetch()} />;
  if (query.data === undefined || flow.data === undefined) {
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

/** Whether the flow waits for a signature of the caller's box, as recipient or as author. */
function waitsForUs(flow: DocumentWithDocflowV5 | null): boolean {
  return (flow?.Docflow.Titles ?? []).some(
    (title) =>
      (title.Author.IsCurrentBox && title.AuthorSigning.Status === 'TitleAuthorStatusWaiting') ||
      (title.ParticipantDocflows ?? []).some(({ Participant, Response }) => Participant.IsCurrentBox && Response?.Status === 'TitleParticipantResponseStatusWaiting'),
  );
}

function Loaded({ document, flow }: { document: Document; flow: DocumentWithDocflowV5 | null }) {
  const t = useT();
  const caller = useCaller();
  const partner = useQuery(partnersQuery).data?.find(({ boxId }) => boxId === document.CounteragentBoxId);
  const facts: [string, React.ReactNode][] = [
    [t('documents.partner'), partner?.title ?? document.CounteragentBoxId ?? '—'],
    [t('documents.direction'), t.maybe(`documents.direction.${document.DocumentDirection ?? ''}`) ?? document.DocumentDirection ?? '—'],
    [t('documents.type'), document.TypeNamedId],
    [t('documents.number'), document.DocumentNumber ?? '—'],
    [t('documents.date'), document.DocumentDate ?? '—'],
    [t('documents.file'), document.FileName ?? '—'],
    [t('documents.received'), t.dateTime(dateOfTicks(document.CreationTimestampTicks))],
  ];
  return (
    <article>
      <PageHead title={document.Title} crumbs={<Link to="/documents">{t('nav.documents')}</Link>}>
        <FlowBadge status={flow?.Docflow.DocflowStatus ?? document.DocflowStatus} />
        <Download document={document} />
      </PageHead>
      <div className="vehicle">
        <section className="stack">
          <h2>{t('flow.title')}</h2>
          {flow === null ? <p className="muted">{t('flow.none')}</p> : <Timeline flow={flow} />}
        </section>
        <div className="stack">
          {waitsForUs(flow) && may(caller, 'EXCHANGE_WRITE') && <SignPanel document={document} />}
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

function Download({ document }: { document: Document }) {
  const t = useT();
  const download = useMutation({
    mutationFn: async () => {
      const { data } = await getEntityContent({ client: gateway(), parseAs: 'blob', query: { messageId: document.MessageId, entityId: document.EntityId } });
      const url = URL.createObjectURL(data);
      const link = window.document.createElement('a');
      link.href = url;
      link.download = document.FileName ?? 'document';
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    },
  });
  return (
    <>
      <button type="button" className="button" disabled={download.isPending} onClick={() => download.mutate()}>
        {t('documents.download')}
      </button>
      {download.isError && <Notice kind="danger">{describe(download.error, t)}</Notice>}
    </>
  );
}
