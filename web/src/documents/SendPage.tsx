// Sending a document to a partner.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { Notice, PageHead } from '../ui/basics';
import { formErrors } from '../ui/errors';
import { CheckField, Field, SelectField, Sending, SubmitButton, TextField } from '../ui/fields';
import { CertificateField } from './CertificateField';
import { partnersQuery, typesOfDocumentsQuery } from './exchange';
import { ExchangeFailure, ExchangeGate } from './Gate';
import { type Outgoing, send, type SendProgress } from './sending';
import { describeSigning, SigningProgress } from './SigningProgress';
import { SigningFailed } from './signing';

export function SendPage() {
  const t = useT();
  return (
    <ExchangeGate write>
      <PageHead title={t('send.title')} lead={t('send.lead')} crumbs={<Link to="/documents">{t('nav.documents')}</Link>} />
      <SendForm />
    </ExchangeGate>
  );
}

function SendForm() {
  const t = useT();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const partners = useQuery(partnersQuery);
  const types = useQuery(typesOfDocumentsQuery);
  const [draft, setDraft] = useState({ to: '', type: '', number: '', date: new Date().toLocaleDateString('sv'), needsSignature: true, sign: true });
  const [file, setFile] = useState<File>();
  const [thumbprint, setThumbprint] = useState<string>();
  const [tried, setTried] = useState(false);
  const [progress, setProgress] = useState<SendProgress>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const change = (next: Partial<typeof draft>) => setDraft({ ...draft, ...next });
  const kinds = (types.data ?? []).flatMap(({ Name, Title, Functions }) =>
    (Functions ?? []).flatMap((kind) =>
      (kind.Versions ?? []).filter(({ IsActual }) => IsActual).map(({ Version }) => ({ key: `${Name}/${kind.Name}/${Version}`, title: Title, name: Name, function: kind.Name, version: Version })),
    ),
  );
  const sending = useMutation({
    mutationFn: (document: Outgoing) => {
      abort.current = new AbortController();
      return send(document, setProgress, abort.current.signal);
    },
    onSuccess: async (message) => {
      await queries.invalidateQueries({ queryKey: ['exchange'] });
      toast(t('send.done'));
      const entity = message.Entities?.find(({ EntityType, ParentEntityId }) => EntityType === 'Attachment' && ParentEntityId === undefined);
      if (entity === undefined) await navigate({ to: '/documents', search: { list: 'outbound' } });
      else await navigate({ to: '/documents/$messageId/$entityId', params: { messageId: message.MessageId, entityId: entity.EntityId } });
    },
  });
  const kind = kinds.find(({ key }) => key === draft.type);
  const missing: Record<string, string> = {
    ...(draft.to === '' && { to: t('form.required') }),
    ...(kind === undefined && { type: t('form.required') }),
    ...(file === undefined && { file: t('form.required') }),
    ...(file !== undefined && file.size === 0 && { file: t('send.emptyFile') }),
  };
  const errors: Record<string, string> = tried ? missing : {};
  const submit = () => {
    setTried(true);
    if (kind === undefined || file === undefined || Object.keys(missing).length > 0) return;
    sending.mutate({
      toBoxId: draft.to,
      type: kind,
      number: draft.number,
      date: draft.date,
      file,
      needsSignature: draft.needsSignature,
      thumbprint: draft.sign ? thumbprint : undefined,
    });
  };
  if (partners.isError) return <ExchangeFailure error={partners.error} retry={() => void partners.refetch()} />;
  if (types.isError) return <ExchangeFailure error={types.error} retry={() => void types.refetch()} />;
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Sending.Provider value={sending.isPending}>
        <div className="form-grid">
          <SelectField
            label={t('send.to')}
            value={draft.to}
            none={t('send.chooseTo')}
            options={(partners.data ?? []).filter(({ own }) => !own).map(({ boxId, title }) => ({ value: boxId, label: title }))}
            onChange={(to) => change({ to })}
            error={errors['to']}
            required
          />
          <SelectField
            label={t('documents.type')}
            value={draft.type}
            none={t('send.chooseType')}
            options={kinds.map(({ key, title }) => ({ value: key, label: title }))}
            onChange={(type) => change({ type })}
            error={errors['type']}
            required
          />
          <TextField label={t('documents.number')} value={draft.number} onChange={(number) => change({ number })} />
          <TextField label={t('documents.date')} value={draft.date} onChange={(date) => change({ date })} type="date" />
        </div>
        <Field label={t('documents.file')} error={errors['file']} required>
          {(control) => <input {...control} type="file" onChange={(event) => setFile(event.target.files?.[0])} />}
        </Field>
        <CheckField label={t('send.needsSignature')} checked={draft.needsSignature} onChange={(needsSignature) => change({ needsSignature })} />
        <CheckField label={t('send.sign')} checked={draft.sign} onChange={(sign) => change({ sign })} />
        {draft.sign && <CertificateField value={thumbprint} onChange={setThumbprint} />}
        {sending.isPending && <SigningProgress progress={progress} />}
        {sending.isError && (
          <Notice kind="danger">
            {sending.error instanceof SigningFailed ? describeSigning(sending.error, t) : formErrors(sending.error, t, []).form}
          </Notice>
        )}
        <div className="form-actions">
          <SubmitButton>{t(draft.sign ? 'send.signAndSend' : 'send.button')}</SubmitButton>
        </div>
      </Sending.Provider>
    </form>
  );
}
