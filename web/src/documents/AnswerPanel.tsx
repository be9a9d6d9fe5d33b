// What the caller can do with a document's flow: sign it, refuse to, ask to revoke it, agree to that.
import { generateRevocationRequestXml, generateSignatureRejectionXml, getEntityContent, type Document, type DocumentWithDocflowV5 } from '@equipment-platform/client/gateway';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Job, useJobs } from '../app/jobs';
import { useT } from '../i18n';
import { Dialog, Notice, Skeleton } from '../ui/basics';
import { describe } from '../ui/errors';
import { SubmitButton, TextField } from '../ui/fields';
import { Form, useForm } from '../ui/form';
import { Shown } from '../ui/states';
import { CertificateField } from './CertificateField';
import { certificatesQuery, gateway } from './exchange';
import { base64 } from './files';
import { JobProgress } from './JobProgress';
import { begin } from './running';

interface Props {
  document: Document;
  flow: DocumentWithDocflowV5;
  title: string;
}

/** Whether the flow waits for a signature of the caller's box, as recipient or as author. */
function waits(flow: DocumentWithDocflowV5): { sign: boolean; answer: boolean } {
  const titles = flow.Docflow.Titles ?? [];
  const answer = titles.some(({ ParticipantDocflows }) =>
    (ParticipantDocflows ?? []).some(({ Participant, Response }) => Participant.IsCurrentBox && Response?.Status === 'TitleParticipantResponseStatusWaiting'),
  );
  return { answer, sign: answer || titles.some(({ Author, AuthorSigning }) => Author.IsCurrentBox && AuthorSigning.Status === 'TitleAuthorStatusWaiting') };
}

export function AnswerPanel({ document, flow, title }: Props) {
  const t = useT();
  const certificates = useQuery(certificatesQuery);
  const job = useJobs().find((job) => job.document?.entityId === document.EntityId && job.document.messageId === document.MessageId && job.done !== true);
  const { sign, answer } = waits(flow);
  const revocation = flow.Docflow.Revocation?.RevocationStatus;
  const asked = revocation === 'RequestsMyRevocation';
  // Once more after a refusal; never while one is open or has been agreed to.
  const revocable = revocation === undefined || revocation === 'RevocationStatusNone' || revocation === 'RevocationRejected';
  if (job !== undefined) {
    return (
      <section className="panel stack" aria-label={t('sign.title')}>
        <h2>{t(`job.${job.kind}`)}</h2>
        <JobProgress job={job} />
      </section>
    );
  }
  if (!sign && !asked && !revocable) return null;
  return (
    <section className="panel stack" aria-label={t('sign.title')}>
      <h2>{t(asked ? 'sign.revocationAsked' : sign ? 'sign.title' : 'sign.more')}</h2>
      <Shown query={certificates} skeleton={<Skeleton height="7rem" />}>
        {(list) =>
          list.length === 0 ? (
            <p className="muted">{t('sign.noCertificate')}</p>
          ) : (
            <Choices document={document} flow={flow} title={title} sign={sign} answer={answer} asked={asked} revocable={revocable} />
          )
        }
      </Shown>
    </section>
  );
}

function Choices({ document, flow, title, sign, answer, asked, revocable }: Props & { sign: boolean; answer: boolean; asked: boolean; revocable: boolean }) {
  const t = useT();
  const [thumbprint, setThumbprint] = useState<string>();
  const [giving, setGiving] = useState<'refuse' | 'revoke'>();
  const common = {
    title,
    step: 'starting' as const,
    document: { messageId: document.MessageId, entityId: document.EntityId },
    parent: document.EntityId,
    fileName: document.FileName ?? 'document',
  };
  const agree = useMutation({
    mutationFn: async (thumbprint: string) => {
      const entityId = flow.Docflow.Revocation?.RevocationRequest.RevocationRequest.Attachment.Entity?.EntityId ?? '';
      const { data } = await getEntityContent({ client: gateway(), parseAs: 'blob', query: { messageId: document.MessageId, entityId } });
      begin({ ...common, kind: 'acceptRevocation', parent: entityId, fileName: 'revocation.xml', content: { Content: await base64(data) }, thumbprint });
    },
  });
  const signNow = (thumbprint: string) =>
    begin({ ...common, kind: 'sign', content: { EntityId: { MessageId: document.MessageId, EntityId: document.EntityId } }, thumbprint });
  return (
    <>
      <CertificateField value={thumbprint} onChange={setThumbprint} />
      <div className="row">
        {asked && (
          <button type="button" className="button primary" disabled={thumbprint === undefined || agree.isPending} onClick={() => thumbprint !== undefined && agree.mutate(thumbprint)}>
            {t('sign.agreeRevoke')}
          </button>
        )}
        {sign && !asked && (
          <button type="button" className="button primary" disabled={thumbprint === undefined} onClick={() => thumbprint !== undefined && signNow(thumbprint)}>
            {t('sign.button')}
          </button>
        )}
        {answer && !asked && (
          <button type="button" className="button danger" disabled={thumbprint === undefined} onClick={() => setGiving('refuse')}>
            {t('sign.refuse')}
          </button>
        )}
        {revocable && (
          <button type="button" className="button" disabled={thumbprint === undefined} onClick={() => setGiving('revoke')}>
            {t('sign.revoke')}
          </button>
        )}
      </div>
      {agree.isError && <Notice kind="danger">{describe(agree.error, t)}</Notice>}
      {giving !== undefined && thumbprint !== undefined && (
        <ReasonDialog kind={giving} document={document} thumbprint={thumbprint} job={common} close={() => setGiving(undefined)} />
      )}
    </>
  );
}

interface ReasonProps {
  kind: 'refuse' | 'revoke';
  document: Document;
  thumbprint: string;
  job: Omit<Job, 'id' | 'operationId' | 'kind'>;
  close: () => void;
}

/** The provider makes the paper with the reason, which is signed like a document. */
function ReasonDialog({ kind, document, thumbprint, job, close }: ReasonProps) {
  const t = useT();
  const form = useForm(`${kind}/${document.EntityId}`, { reason: '' });
  const [tried, setTried] = useState(false);
  const write = useMutation({
    mutationFn: async (reason: string) => {
      const at = { messageId: document.MessageId, entityId: document.EntityId };
      const { data } =
        kind === 'revoke'
          ? await generateRevocationRequestXml({ client: gateway(), parseAs: 'blob', query: at, body: { Comment: reason, Signer: { SignerCertificateThumbprint: thumbprint } } })
          : await generateSignatureRejectionXml({
              client: gateway(),
              parseAs: 'blob',
              body: { MessageId: at.messageId, AttachmentId: at.entityId, ErrorMessage: reason, SignerContent: btoa(`<Signer><SignerCertificateThumbprint>${thumbprint}</SignerCertificateThumbprint></Signer>`) },
            });
      return base64(data as Blob);
    },
    onSuccess: (content) => {
      form.saved();
      begin({ ...job, kind, content: { Content: content }, fileName: kind === 'revoke' ? 'revocation.xml' : 'rejection.xml', thumbprint });
      close();
    },
  });
  const errors: Record<string, string> = tried && form.draft.reason.trim() === '' ? { reason: t('form.required') } : {};
  return (
    <Dialog title={t(`sign.${kind}Title`)} onClose={close}>
      <Form
        className="stack"
        form={form}
        errors={errors}
        busy={write.isPending}
        submit={() => {
          setTried(true);
          if (form.draft.reason.trim() !== '') write.mutate(form.draft.reason.trim());
        }}
      >
        <p>{t(`sign.${kind}Text`)}</p>
        <TextField label={t('sign.reason')} value={form.draft.reason} onChange={(reason) => form.change({ reason })} error={errors['reason']} multiline required />
        {write.isError && <Notice kind="danger">{describe(write.error, t)}</Notice>}
        <div className="form-actions">
          <SubmitButton>{t(`sign.${kind}`)}</SubmitButton>
          <button type="button" className="button quiet" onClick={close}>
            {t('action.cancel')}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
