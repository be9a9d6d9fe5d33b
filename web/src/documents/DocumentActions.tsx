// Looking at a document before signing it, and taking it along: its print form, its file, the whole flow in one archive.
import { ApiError } from '@equipment-platform/client';
import { downloadFromShelf, getDocumentZip, getEntityContent, getPrintForm, type Document } from '@equipment-platform/client/gateway';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useT } from '../i18n';
import { Dialog, Loading, Notice, Skeleton } from '../ui/basics';
import { describe } from '../ui/errors';
import { gateway, settled } from './exchange';
import { offer } from './files';

export function DocumentActions({ document, title }: { document: Document; title: string }) {
  const t = useT();
  const [previewing, setPreviewing] = useState(false);
  const query = { messageId: document.MessageId, entityId: document.EntityId };
  const name = document.FileName ?? 'document';
  const file = useMutation({
    mutationFn: async () => offer((await getEntityContent({ client: gateway(), parseAs: 'blob', query })).data, name),
  });
  const archive = useMutation({
    mutationFn: async () => {
      const abort = new AbortController();
      const call = () => getDocumentZip({ client: gateway(), signal: abort.signal, query: { ...query, fullDocflow: true } });
      const { ZipFileNameOnShelf } = await settled(call, abort.signal);
      const shelf = { fileName: ZipFileNameOnShelf };
      offer((await downloadFromShelf({ client: gateway(), parseAs: 'blob', query: shelf })).data, `${name.replace(/\.[^.]*$/, '')}.zip`);
    },
  });
  const failed = [file, archive].find(({ isError }) => isError);
  return (
    <>
      <button type="button" className="button" onClick={() => setPreviewing(true)}>
        {t('documents.preview')}
      </button>
      <button type="button" className="button" disabled={file.isPending} onClick={() => file.mutate()}>
        {t('documents.download')}
      </button>
      <button type="button" className="button" disabled={archive.isPending} onClick={() => archive.mutate()}>
        {t(archive.isPending ? 'documents.packing' : 'documents.archive')}
      </button>
      {failed !== undefined && <Notice kind="danger">{describe(failed.error, t)}</Notice>}
      {previewing && <Preview document={document} title={title} close={() => setPreviewing(false)} />}
    </>
  );
}

function Preview({ document, title, close }: { document: Document; title: string; close: () => void }) {
  const t = useT();
  const query = useQuery({
    queryKey: ['exchange', 'print', document.MessageId, document.EntityId],
    queryFn: async ({ signal }) => {
      const call = () => getPrintForm({ client: gateway(), signal, parseAs: 'blob', query: { messageId: document.MessageId, entityId: document.EntityId } });
      const form = (await settled(call, signal)) as Blob;
      // Nothing but a PDF is shown inside the page: other contents would run as a part of it.
      return form.type.startsWith('application/pdf') ? new Blob([form], { type: 'application/pdf' }) : null;
    },
    gcTime: 0,
    retry: false,
  });
  const url = useObjectUrl(query.data);
  const none = query.data === null || (query.error instanceof ApiError && query.error.status === 409);
  return (
    <Dialog title={title} onClose={close} className="wide">
      {none && <Notice>{t('documents.noPreview')}</Notice>}
      {query.isError && !none && <Notice kind="danger">{describe(query.error, t)}</Notice>}
      {query.isPending && (
        <Loading>
          <Skeleton height="60vh" />
        </Loading>
      )}
      {url !== undefined && <iframe className="preview" src={url} title={t('documents.previewOf', { title })} />}
      <div className="form-actions">
        {url !== undefined && (
          <a className="button" href={url} target="_blank" rel="noreferrer">
            {t('documents.newTab')}
          </a>
        )}
        <button type="button" className="button quiet" onClick={close}>
          {t('action.close')}
        </button>
      </div>
    </Dialog>
  );
}

function useObjectUrl(blob: Blob | null | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
