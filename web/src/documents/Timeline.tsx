// The steps of a document's flow, in the multi-title model.
import type { DocumentWithDocflowV5, ProviderTimestamp } from '@equipment-platform/client/gateway';
import { useQuery } from '@tanstack/react-query';
import { useT } from '../i18n';
import { dateOfTicks, partnersQuery } from './exchange';

interface Step {
  key: string;
  who: string;
  status: string;
  at: ProviderTimestamp | undefined;
}

/** Steps in the order of the flow; a status that asks for nothing is left out. */
export function stepsOf({ Docflow }: DocumentWithDocflowV5): Step[] {
  const steps: Step[] = [];
  for (const { TitleIndex, Author, AuthorSigning, ParticipantDocflows } of Docflow.Titles ?? []) {
    steps.push({
      key: `${TitleIndex}/author`,
      who: Author.BoxId,
      status: AuthorSigning.Status,
      at: AuthorSigning.Title?.Signature?.DeliveredAt ?? AuthorSigning.Title?.Attachment.Entity?.CreationTimestamp,
    });
    for (const { Participant, TitleDelivery, Response } of ParticipantDocflows ?? []) {
      const key = `${TitleIndex}/${Participant.BoxId}`;
      const delivery = TitleDelivery?.Delivery;
      if (delivery !== undefined) steps.push({ key: `${key}/delivery`, who: Participant.BoxId, status: delivery.Status, at: delivery.DeliveredAt });
      if (Response !== undefined && Response.Status !== 'TitleParticipantResponseStatusNotAcceptable') {
        steps.push({ key: `${key}/response`, who: Participant.BoxId, status: Response.Status, at: Response.Signature?.DeliveredAt ?? Response.Rejection?.DeliveredAt });
      }
    }
  }
  if (Docflow.Revocation !== undefined) {
    const { Initiator, RevocationStatus, RevocationRequest } = Docflow.Revocation;
    steps.push({ key: 'revocation', who: Initiator.BoxId, status: RevocationStatus, at: RevocationRequest.SentAt });
  }
  return steps;
}

const DONE = /Signed$|Delivered$|Accepted$/;
const FAILED = /Rejected$|Invalid|Failed$/;

export function Timeline({ flow }: { flow: DocumentWithDocflowV5 }) {
  const t = useT();
  const partners = useQuery(partnersQuery).data ?? [];
  return (
    <ol className="timeline">
      {stepsOf(flow).map((step) => (
        <li key={step.key} className={FAILED.test(step.status) ? 'failed' : DONE.test(step.status) ? 'done' : ''}>
          <p>
            <b>{t.maybe(`flow.${step.status}`) ?? step.status}</b>
          </p>
          <p className="muted small">
            {partners.find(({ boxId }) => boxId === step.who)?.title ?? step.who}
            {step.at !== undefined && ` · ${t.dateTime(dateOfTicks(step.at.Ticks))}`}
          </p>
        </li>
      ))}
    </ol>
  );
}
