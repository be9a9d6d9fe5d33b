// Signing the document that is shown.
import type { Document } from '@equipment-platform/client/gateway';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { Notice, Skeleton } from '../ui/basics';
import { Shown } from '../ui/states';
import { CertificateField } from './CertificateField';
import { certificatesQuery } from './exchange';
import { describeSigning, SigningProgress } from './SigningProgress';
import { type Progress, signDocument } from './signing';

export function SignPanel({ document }: { document: Document }) {
  const t = useT();
  const certificates = useQuery(certificatesQuery);
  return (
    <section className="panel stack" aria-label={t('sign.title')}>
      <h2>{t('sign.title')}</h2>
      <Shown query={certificates} skeleton={<Skeleton height="7rem" />}>
        {(list) => (list.length === 0 ? <p className="muted">{t('sign.noCertificate')}</p> : <SignForm document={document} />)}
      </Shown>
    </section>
  );
}

function SignForm({ document }: { document: Document }) {
  const t = useT();
  const queries = useQueryClient();
  const [thumbprint, setThumbprint] = useState<string>();
  const [progress, setProgress] = useState<Progress>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const sign = useMutation({
    mutationFn: (certificate: string) => {
      abort.current = new AbortController();
      const id = { messageId: document.MessageId, entityId: document.EntityId, fileName: document.FileName ?? 'document' };
      return signDocument(id, certificate, setProgress, abort.current.signal);
    },
    onSuccess: async () => {
      toast(t('sign.done'));
      await queries.invalidateQueries({ queryKey: ['exchange'] });
    },
  });
  return (
    <div className="stack">
      <CertificateField value={thumbprint} onChange={setThumbprint} />
      {sign.isPending ? (
        <SigningProgress progress={progress} />
      ) : (
        <div>
          <button type="button" className="button primary" disabled={thumbprint === undefined} onClick={() => thumbprint !== undefined && sign.mutate(thumbprint)}>
            {t('sign.button')}
          </button>
        </div>
      )}
      {sign.isError && <Notice kind="danger">{describeSigning(sign.error, t)}</Notice>}
    </div>
  );
}
