// Rows of a table that are chosen, and what is done with all of them at once.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { readAgain } from '../app/api';
import { toast } from '../app/toast';
import { type MessageKey, useT } from '../i18n';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { describe } from '../ui/errors';

export interface Picked<T> {
  chosen: readonly T[];
  all: boolean;
  has: (record: T) => boolean;
  pick: (records: readonly T[], on: boolean) => void;
}

/** Which of these records are chosen; what is not on the page (any more) is not. */
export function usePicked<T extends { id: string }>(records: readonly T[]): Picked<T> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = records.filter(({ id }) => ids.has(id));
  return {
    chosen,
    all: records.length > 0 && chosen.length === records.length,
    has: ({ id }) => ids.has(id),
    pick: (some, on) => {
      const theirs = some.map(({ id }) => id);
      setIds(new Set(on ? [...ids, ...theirs] : [...ids].filter((id) => !theirs.includes(id))));
    },
  };
}

export function PickAll<T>({ picked, records }: { picked: Picked<T>; records: readonly T[] }) {
  const t = useT();
  return (
    <th scope="col">
      <input type="checkbox" aria-label={t('manage.chooseAll')} checked={picked.all} onChange={(event) => picked.pick(records, event.target.checked)} />
    </th>
  );
}

export function Pick<T>({ picked, record, name }: { picked: Picked<T>; record: T; name: string }) {
  const t = useT();
  return (
    <td className="pick">
      <input type="checkbox" aria-label={t('manage.choose', { name })} checked={picked.has(record)} onChange={(event) => picked.pick([record], event.target.checked)} />
    </td>
  );
}

export interface Together<T> {
  /** What is read anew afterwards. */
  key: string;
  /** Showing and hiding, or taking into use and out of it, where the records know that. */
  activate?: { on: MessageKey; off: MessageKey; set: (record: T, active: boolean) => Promise<unknown> };
  remove: (record: T) => Promise<unknown>;
  changed: MessageKey;
  deleteTitle: MessageKey;
  deleteText: MessageKey;
}

/** Each record is compared with the version that is shown; those that could not be changed are counted, with the first reason. */
export function Several<T>({ picked, together }: { picked: Picked<T>; together: Together<T> }) {
  const t = useT();
  const { chosen } = picked;
  const { activate, remove } = together;
  const [asking, setAsking] = useState(false);
  const apply = useMutation({
    mutationFn: async (act: (record: T) => Promise<unknown>) => {
      const results = await Promise.allSettled(chosen.map(act));
      const failed = results.filter((result) => result.status === 'rejected');
      const count = results.length - failed.length;
      toast(failed.length === 0 ? t(together.changed, { count }) : t('manage.someFailed', { done: count, failed: failed.length, why: describe(failed[0]?.reason, t) }));
    },
    onSettled: () => {
      setAsking(false);
      picked.pick(chosen, false);
      return readAgain([together.key]);
    },
  });
  const none = chosen.length === 0 || apply.isPending;
  return (
    <div className="row several" role="group" aria-label={t('manage.together')}>
      <span className="muted" role="status">
        {t('manage.chosen', { count: chosen.length })}
      </span>
      {activate !== undefined && (
        <>
          <button type="button" className="button small" disabled={none} onClick={() => apply.mutate((record) => activate.set(record, true))}>
            {t(activate.on)}
          </button>
          <button type="button" className="button small" disabled={none} onClick={() => apply.mutate((record) => activate.set(record, false))}>
            {t(activate.off)}
          </button>
        </>
      )}
      <button type="button" className="button small danger" disabled={none} onClick={() => setAsking(true)}>
        {t('action.delete')}
      </button>
      {asking && (
        <ConfirmDialog
          title={t(together.deleteTitle, { count: chosen.length })}
          text={t(together.deleteText)}
          error={null}
          busy={apply.isPending}
          confirm={() => apply.mutate(remove)}
          close={() => setAsking(false)}
        />
      )}
    </div>
  );
}
