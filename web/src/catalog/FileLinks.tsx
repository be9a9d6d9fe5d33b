// The documents of a machine, by the names that they were uploaded with.
import { useQuery } from '@tanstack/react-query';
import { fileUrl, hasFiles } from '../app/files';
import { describedQuery } from '../app/filesClient';
import { useT } from '../i18n';
import { Sign } from '../ui/icons';

export function FileLinks({ files }: { files: readonly string[] }) {
  const t = useT();
  const described = useQuery(describedQuery(files)).data ?? {};
  return (
    <ul className="stack tight">
      {files.map((id, index) =>
        hasFiles() ? (
          <li key={id}>
            <a href={fileUrl(id)} target="_blank" rel="noopener" className="row">
              <Sign name="file" size={18} />
              {described[id]?.fileName || t('files.document', { number: index + 1 })}
            </a>
          </li>
        ) : (
          <li key={id} className="mono">
            {id}
          </li>
        ),
      )}
    </ul>
  );
}
