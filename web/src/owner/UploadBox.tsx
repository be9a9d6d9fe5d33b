// Where files come in: chosen, dropped, or taken with the phone's camera.
import { useId, useRef, useState } from 'react';
import { useT } from '../i18n';
import { Notice } from '../ui/basics';
import { describe } from '../ui/errors';
import { Sign } from '../ui/icons';
import { IMAGE_TYPES, MOST_BYTES } from '../app/sending';
import { DOCUMENT_TYPES, dropUpload, type LinkKind, retryUpload, upload, useUploads } from './uploads';

interface Props {
  vehicleId: string;
  kind: LinkKind;
  /** How many may be added. */
  room: number;
}

export function UploadBox({ vehicleId, kind, room }: Props) {
  const t = useT();
  const id = useId();
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string[]>([]);
  const types = kind === 'photos' ? IMAGE_TYPES : DOCUMENT_TYPES;
  const take = (list: Iterable<File>) => {
    const problems: string[] = [];
    const good: File[] = [];
    for (const file of list) {
      if (!types.includes(file.type)) problems.push(t(kind === 'photos' ? 'upload.notImage' : 'upload.notDocument', { name: file.name }));
      else if (file.size > MOST_BYTES) problems.push(t('upload.tooLarge', { name: file.name }));
      else if (file.size === 0) problems.push(t('upload.empty', { name: file.name }));
      else if (good.length === room) problems.push(t('upload.tooMany', { name: file.name }));
      else good.push(file);
    }
    setRefused(problems);
    if (good.length > 0) upload(vehicleId, kind, good);
  };
  if (room <= 0) return <p className="muted">{t('error.link_limit')}</p>;
  return (
    <div className="stack tight">
      <div
        className={over ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          if (!event.dataTransfer?.types.includes('Files')) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer?.files ?? []);
        }}
      >
        <Sign name="upload" size={30} />
        <p id={id}>{t(kind === 'photos' ? 'upload.dropPhotos' : 'upload.dropDocs')}</p>
        <div className="row">
          <Picker label={t(kind === 'photos' ? 'upload.choosePhotos' : 'upload.chooseDocs')} types={types} describedBy={id} take={take} />
          {kind === 'photos' && matchMedia('(pointer: coarse)').matches && <Picker label={t('upload.camera')} types={types} describedBy={id} take={take} camera />}
        </div>
        <p className="muted small">{t(kind === 'photos' ? 'upload.limitsPhotos' : 'upload.limitsDocs', { room })}</p>
      </div>
      {refused.length > 0 && (
        <Notice kind="warn">
          {refused.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Notice>
      )}
      <Progress vehicleId={vehicleId} kind={kind} />
    </div>
  );
}

function Picker({ label, types, describedBy, take, camera = false }: { label: string; types: string[]; describedBy: string; take: (files: Iterable<File>) => void; camera?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={camera ? 'button' : 'button primary'} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        aria-describedby={describedBy}
        accept={types.join(',')}
        multiple={!camera}
        {...(camera && { capture: 'environment' as const })}
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

function Progress({ vehicleId, kind }: { vehicleId: string; kind: LinkKind }) {
  const t = useT();
  const uploads = useUploads(vehicleId, kind);
  return (
    <ul className="uploads" aria-label={t('upload.running')}>
      {uploads.map(({ id, file, sent, state, error }) => (
        <li key={id}>
          <span className="one-line" title={file.name}>
            <span>{file.name}</span>
          </span>
          {state === 'failed' ? (
            <Notice
              kind="danger"
              action={
                <span className="row">
                  <button type="button" className="button small" onClick={() => retryUpload(id)}>
                    {t('action.retry')}
                  </button>
                  <button type="button" className="button small quiet" onClick={() => dropUpload(id)}>
                    {t('upload.giveUp')}
                  </button>
                </span>
              }
            >
              {describe(error, t)}
            </Notice>
          ) : (
            <progress value={sent} max={1} aria-label={t('upload.progress', { name: file.name })} />
          )}
        </li>
      ))}
    </ul>
  );
}
