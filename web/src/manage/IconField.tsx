// The picture that stands for a type or a category: chosen and uploaded; without the file service its id is typed.
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { fileUrl, hasFiles } from '../app/files';
import { IMAGE_TYPES, MOST_BYTES, sendFile } from '../app/sending';
import { useT } from '../i18n';
import { describe } from '../ui/errors';
import { Field, TextField } from '../ui/fields';
import { Sign } from '../ui/icons';

interface Props {
  /** The record that it stands for; one that is still to be made has none. */
  of: string | undefined;
  value: string;
  onChange: (id: string) => void;
  error: string | undefined;
}

export function IconField({ of, value, onChange, error }: Props) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState(0);
  const [refused, setRefused] = useState<string>();
  const send = useMutation({
    // The file service wants to know what a file belongs to; that may not be there yet.
    mutationFn: (file: File) => sendFile(of ?? crypto.randomUUID(), file, setSent),
    onSuccess: ({ id }) => onChange(id),
  });
  if (!hasFiles()) return <TextField label={t('manage.icon')} hint={t('manage.iconHint')} value={value} onChange={onChange} error={error} mono />;
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    setSent(0);
    const problem = !IMAGE_TYPES.includes(file.type) ? 'upload.notImage' : file.size > MOST_BYTES ? 'upload.tooLarge' : undefined;
    setRefused(problem === undefined ? undefined : t(problem, { name: file.name }));
    if (problem === undefined) send.mutate(file);
  };
  const failed = refused ?? (send.isError ? describe(send.error, t) : error);
  return (
    <Field label={t('manage.icon')} hint={t('manage.iconChoose')} error={failed}>
      {({ required: _, ...control }) => (
        <div className="row">
          {value !== '' && <img className="icon-picture" src={fileUrl(value, 160)} alt="" width={56} height={56} />}
          <button {...control} type="button" className="button" disabled={send.isPending} onClick={() => input.current?.click()}>
            <Sign name="upload" size={18} />
            {t(value === '' ? 'manage.chooseIcon' : 'manage.otherIcon')}
          </button>
          {value !== '' && (
            <button type="button" className="button quiet" disabled={send.isPending} onClick={() => onChange('')}>
              {t('manage.noIcon')}
            </button>
          )}
          {send.isPending && <progress value={sent} max={1} aria-label={t('upload.running')} />}
          <input
            ref={input}
            type="file"
            hidden
            accept={IMAGE_TYPES.join(',')}
            onChange={({ currentTarget }) => {
              take(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
        </div>
      )}
    </Field>
  );
}
