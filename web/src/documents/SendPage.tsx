// Sending a document to a partner.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useJobs } from '../app/jobs';
import { useT } from '../i18n';
import { Notice, PageHead } from '../ui/basics';
import { CheckField, Field, SelectField, SubmitButton, TextField } from '../ui/fields';
import { Form, useForm } from '../ui/form';
import { CertificateField } from './CertificateField';
import { partnersQuery, typesOfDocumentsQuery } from './exchange';
import { ExchangeFailure, ExchangeGate } from './Gate';
import { useTypeName } from './names';
import { begin } from './running';

export function SendPage() {
  const t = useT();
  return (
    <ExchangeGate write>
      <PageHead title={t('send.title')} lead={t('send.lead')} crumbs={<Link to="/documents">{t('nav.documents')}</Link>} />
      <Sending />
    </ExchangeGate>
  );
}

const EMPTY = { to: '', type: '', number: '', date: new Date().toLocaleDateString('sv'), needsSignature: true, sign: true };

function Sending() {
  const t = useT();
  const [id, setId] = useState<string>();
  const job = useJobs().find((job) => job.id === id);
  const navigate = useNavigate();
  const document = job?.done === true ? job.document : undefined;
  useEffect(() => {
    if (document !== undefined) void navigate({ to: '/documents/$messageId/$entityId', params: document });
  }, [document, navigate]);
  if (job === undefined) return <SendForm sent={setId} />;
  // The tray shows how far it is, here and everywhere.
  return (
    <Notice
      kind="ok"
      action={
        <button type="button" className="button" onClick={() => setId(undefined)}>
          {t('send.another')}
        </button>
      }
    >
      {t('send.begun', { title: job.title })}
    </Notice>
  );
}

function SendForm({ sent }: { sent: (id: string) => void }) {
  const t = useT();
  const partners = useQuery(partnersQuery);
  const types = useQuery(typesOfDocumentsQuery);
  const form = useForm('send', EMPTY);
  const { draft, change } = form;
  const [file, setFile] = useState<File>();
  const [thumbprint, setThumbprint] = useState<string>();
  const [tried, setTried] = useState(false);
  const typeName = useTypeName();
  const kinds = (types.data ?? []).flatMap(({ Name, Title, Functions }) =>
    (Functions ?? []).flatMap((kind) =>
      (kind.Versions ?? []).filter(({ IsActual }) => IsActual).map(({ Version }) => ({ key: `${Name}/${kind.Name}/${Version}`, title: t.maybe(`docType.${Name}`) ?? Title, name: Name, function: kind.Name, version: Version })),
    ),
  );
  const kind = kinds.find(({ key }) => key === draft.type);
  const missing: Record<string, string> = {
    ...(draft.to === '' && { to: t('form.required') }),
    ...(kind === undefined && { type: t('form.required') }),
    ...(file === undefined && { file: t('form.required') }),
    ...(file !== undefined && file.size === 0 && { file: t('send.emptyFile') }),
    ...(draft.sign && thumbprint === undefined && { certificate: t('sign.noCertificate') }),
  };
  const errors: Record<string, string> = tried ? missing : {};
  const submit = () => {
    setTried(true);
    if (kind === undefined || file === undefined || Object.keys(missing).length > 0) return;
    const id = begin(
      {
        kind: 'send',
        step: 'uploading',
        title: draft.number.trim() === '' ? file.name : t('documents.titleOf', { type: typeName(kind.name), number: draft.number.trim() }),
        fileName: file.name,
        outgoing: { toBoxId: draft.to, type: kind, number: draft.number, date: draft.date, needsSignature: draft.needsSignature },
        ...(draft.sign && thumbprint !== undefined && { thumbprint }),
      },
      file,
    );
    form.saved();
    sent(id);
  };
  if (partners.isError) return <ExchangeFailure error={partners.error} retry={() => void partners.refetch()} />;
  if (types.isError) return <ExchangeFailure error={types.error} retry={() => void types.refetch()} />;
  return (
    <Form form={form} errors={errors} busy={false} submit={submit} lost={t('send.fileAgain')}>
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
      {errors['certificate'] !== undefined && <Notice kind="danger">{errors['certificate']}</Notice>}
      <div className="form-actions">
        <SubmitButton>{t(draft.sign ? 'send.signAndSend' : 'send.button')}</SubmitButton>
      </div>
    </Form>
  );
}
