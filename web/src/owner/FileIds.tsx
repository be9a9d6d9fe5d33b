// Files of the file service, by id, in their order.
import { useState } from 'react';
import { isUuid } from '../app/address';
import { useT } from '../i18n';
import { TextField } from '../ui/fields';
import { Sign } from '../ui/icons';
import { MoveButtons, useOrder } from '../ui/ordering';

const MOST = 20;

export function FileIds({ label, files, onChange, error }: { label: string; files: readonly string[]; onChange: (files: string[]) => void; error: string | undefined }) {
  const t = useT();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = () => {
    const id = text.trim().toLowerCase();
    if (!isUuid(id)) return setProblem(t('files.badId'));
    if (files.includes(id)) return setProblem(t('field.duplicate_file'));
    if (files.length === MOST) return setProblem(t('field.link_limit'));
    setProblem(undefined);
    setText('');
    onChange([...files, id]);
  };
  const [move, said] = useOrder(files, onChange);
  return (
    <fieldset className="stack tight">
      <legend>{label}</legend>
      {said}
      {files.length > 0 && (
        <ol className="ordered">
          {files.map((file, index) => (
            <li key={file}>
              <span className="mono">{file}</span>
              <MoveButtons index={index} last={files.length - 1} name={file} move={move} className="button quiet icon small" />
              <button
                type="button"
                className="button quiet icon small"
                aria-label={t('files.remove', { file })}
                onClick={() => onChange(files.filter((other) => other !== file))}
              >
                <Sign name="close" size={16} />
              </button>
            </li>
          ))}
        </ol>
      )}
      <div
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      >
        <TextField label={t('files.add', { label })} hint={t('files.hint', { most: MOST })} value={text} onChange={setText} error={problem ?? error} mono />
      </div>
      <div>
        <button type="button" className="button small" disabled={text.trim() === ''} onClick={add}>
          <Sign name="plus" size={16} />
          {t('files.addButton')}
        </button>
      </div>
    </fieldset>
  );
}
