// Somebody else saved the record meanwhile: what differs, and whose version it shall be.
import { ApiError, VersionConflict } from '@equipment-platform/client';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { merge } from '../app/drafts';
import { useT } from '../i18n';
import { Dialog, Loading, Notice, Skeleton } from './basics';
import { describe } from './errors';
import type { FormState, Work } from './form';

/** One field of a form as a reader sees it. */
export interface Line {
  name: string;
  text: string;
}

interface Props<D extends object> {
  /** Of the try to save; the dialog is there when it is a conflict. */
  error: unknown;
  form: FormState<D>;
  /** Reads the record as it is now. */
  read: () => Promise<{ draft: D; version: number }>;
  lines: (draft: D) => Line[];
  /** Saves what was merged. */
  save: (work: Work<D>) => void;
  /** Forgets the failed try. */
  reset: () => void;
}

export function ConflictDialog<D extends object>(props: Props<D>) {
  return props.error instanceof VersionConflict ? <Open {...props} /> : null;
}

function Open<D extends object>({ form, read, lines, save, reset }: Props<D>) {
  const t = useT();
  const id = useId();
  const query = useQuery({ queryKey: ['conflict', id], queryFn: read, gcTime: 0, staleTime: Infinity, retry: false });
  const theirs = query.data;
  const gone = query.error instanceof ApiError && query.error.status === 404;
  const keep = (theirs: { draft: D; version: number }) => {
    const work = { draft: merge(form.base, form.draft, theirs.draft), base: theirs.draft, version: theirs.version };
    form.rebase(work);
    reset();
    save(work);
  };
  const take = (theirs: { draft: D; version: number }) => {
    form.rebase({ draft: theirs.draft, base: theirs.draft, version: theirs.version });
    reset();
  };
  return (
    <Dialog title={t('conflict.title')} onClose={reset}>
      {query.isError && <Notice kind="danger">{gone ? t('conflict.gone') : describe(query.error, t)}</Notice>}
      {query.isPending && (
        <Loading>
          <Skeleton height="8rem" />
        </Loading>
      )}
      {theirs !== undefined && <Difference mine={lines(form.draft)} theirs={lines(theirs.draft)} base={lines(form.base)} />}
      <div className="form-actions">
        {theirs !== undefined && (
          <>
            <button type="button" className="button primary" onClick={() => keep(theirs)}>
              {t('conflict.keepMine')}
            </button>
            <button type="button" className="button" onClick={() => take(theirs)}>
              {t('conflict.takeTheirs')}
            </button>
          </>
        )}
        <button type="button" className="button quiet" onClick={reset}>
          {t('conflict.back')}
        </button>
      </div>
    </Dialog>
  );
}

function Difference({ mine, theirs, base }: { mine: Line[]; theirs: Line[]; base: Line[] }) {
  const t = useT();
  const textOf = (lines: Line[], name: string) => lines.find((line) => line.name === name)?.text ?? '';
  const rows = [...new Set([...mine, ...theirs].map(({ name }) => name))]
    .map((name) => ({ name, mine: textOf(mine, name), theirs: textOf(theirs, name), base: textOf(base, name) }))
    .filter((row) => row.mine !== row.theirs);
  if (rows.length === 0) return <p>{t('conflict.same')}</p>;
  return (
    <>
      <p>{t('conflict.text')}</p>
      <div className="table-scroll" tabIndex={0} role="region" aria-label={t('conflict.title')}>
        <table className="difference">
          <thead>
            <tr>
              <th scope="col">{t('conflict.field')}</th>
              <th scope="col">{t('conflict.mine')}</th>
              <th scope="col">{t('conflict.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                <td>{row.mine === row.base ? <span className="muted">{t('conflict.unchanged')}</span> : row.mine || '—'}</td>
                <td>{row.theirs === row.base ? <span className="muted">{t('conflict.unchanged')}</span> : row.theirs || '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
