// What every form has: a draft that outlives the page, a warning before it is left, the first wrong field in focus,
// and a word about what went wrong as a whole.
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { dropDraft, keepDraft, readDraft, same } from '../app/drafts';
import { signOut } from '../app/session';
import { useT } from '../i18n';
import { Dialog, Notice } from './basics';
import type { FormErrors } from './errors';
import { Sending } from './fields';
import { SignInLink } from './SignInLink';

/** What is saved: the draft, what it started from, and the version that this was. */
export interface Work<D> {
  draft: D;
  base: D;
  version: number | undefined;
}

export interface FormState<D> extends Work<D> {
  change: (next: Partial<D>) => void;
  /** Something is typed that is not saved. */
  changed: boolean;
  /** When the draft was typed that was found in the browser. */
  restored: number | undefined;
  /** Goes on from another version of the record, with what is typed now. */
  rebase: (work: Work<D>) => void;
  /** Everything as it was. */
  discard: () => void;
  /** It is saved: nothing is kept and nobody is asked. To be called before the page is left. */
  saved: () => void;
  /** Says whether leaving has to be asked for. */
  isOpen: () => boolean;
}

/** The state of a form called `form`, which starts with `start`, the record at `version`. */
export function useForm<D extends object>(form: string, start: D, version?: number): FormState<D> {
  const [found] = useState(() => readDraft<D>(form));
  const [restored, setRestored] = useState(found?.at);
  const [work, setWork] = useState<Work<D>>(() => (found === undefined ? { draft: start, base: start, version } : { ...found, draft: { ...found.base, ...found.draft } }));
  const changed = !same(work.draft, work.base);
  const open = useRef(changed);
  open.current = changed;
  const last = useRef(work);
  // With the change itself: a form that is closed at once would take a later effect along, and the draft with it.
  useLayoutEffect(() => {
    // Only what was changed here is kept: a page that is looked at leaves nothing.
    if (last.current === work) return;
    last.current = work;
    if (changed) keepDraft(form, work);
    else dropDraft(form);
  }, [form, work, changed]);
  return {
    ...work,
    changed,
    restored: changed ? restored : undefined,
    change: (next) => setWork((now) => ({ ...now, draft: { ...now.draft, ...next } })),
    rebase: (next) => {
      setRestored(undefined);
      setWork(next);
    },
    discard: () => {
      dropDraft(form);
      setRestored(undefined);
      setWork({ draft: start, base: start, version });
    },
    saved: () => {
      open.current = false;
      dropDraft(form);
    },
    isOpen: () => open.current,
  };
}

interface Props<D> {
  /** Undefined for what is not kept, such as a token. */
  form?: FormState<D>;
  /** What is wrong, by field, as the form shows it. */
  errors: Record<string, string>;
  busy: boolean;
  submit: () => void;
  className?: string;
  label?: string;
  /** What cannot be kept in a draft, such as a file. */
  lost?: string;
  children: ReactNode;
}

export function Form<D>({ form, errors, busy, submit, className = 'form', label, lost, children }: Props<D>) {
  const element = useRef<HTMLFormElement>(null);
  const asked = useFocusOnError(element, Object.keys(errors).length > 0, busy);
  return (
    <>
      <form
        ref={element}
        className={className}
        noValidate
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          asked();
          submit();
        }}
      >
        {form !== undefined && <Restored form={form} lost={lost} />}
        <Sending.Provider value={busy}>{children}</Sending.Provider>
      </form>
      {form !== undefined && <LeaveDialog form={form} />}
    </>
  );
}

/** After a try the keyboard is at the first field that is wrong, whoever found it out. The answer is to be called at each try. */
function useFocusOnError(element: React.RefObject<HTMLFormElement | null>, wrong: boolean, busy: boolean): () => void {
  const state = useRef<'quiet' | 'tried' | 'sent'>('quiet');
  const [, setTries] = useState(0);
  useEffect(() => {
    if (state.current === 'quiet') return;
    if (busy) state.current = 'sent';
    else if (wrong) {
      state.current = 'quiet';
      const first = element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] :is(input, select, [tabindex])');
      first?.focus();
      first?.closest('.field')?.scrollIntoView({ block: 'nearest' });
    } else if (state.current === 'sent') state.current = 'quiet';
  });
  return () => {
    state.current = 'tried';
    // the same mistake once more changes nothing else
    setTries((tries) => tries + 1);
  };
}

function Restored<D>({ form, lost }: { form: FormState<D>; lost: string | undefined }) {
  const t = useT();
  if (form.restored === undefined) return null;
  return (
    <Notice
      action={
        <button type="button" className="button small" onClick={form.discard}>
          {t('draft.discard')}
        </button>
      }
    >
      {t('draft.restored', { when: t.dateTime(new Date(form.restored)) })} {lost}
    </Notice>
  );
}

function LeaveDialog<D>({ form }: { form: FormState<D> }) {
  const t = useT();
  const blocker = useBlocker({
    // The sign-in comes back to the draft.
    shouldBlockFn: ({ current, next }) => form.isOpen() && next.pathname !== current.pathname && next.pathname !== '/sign-in',
    enableBeforeUnload: form.isOpen,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog title={t('draft.leaveTitle')} onClose={blocker.reset}>
      <p>{t('draft.leaveText')}</p>
      <div className="form-actions">
        <button type="button" className="button primary" onClick={blocker.reset}>
          {t('draft.stay')}
        </button>
        <button type="button" className="button" onClick={blocker.proceed}>
          {t('draft.leave')}
        </button>
        <button
          type="button"
          className="button danger"
          onClick={() => {
            form.saved();
            blocker.proceed();
          }}
        >
          {t('draft.leaveDiscard')}
        </button>
      </div>
    </Dialog>
  );
}

/** What a failed try means for the form as a whole. A conflict has a dialog of its own. */
export function FormFailure({ failed, errors = {} }: { failed: FormErrors; errors?: Record<string, string> }) {
  const t = useT();
  const count = Object.keys(errors).length;
  if (failed.unauthorized) {
    return (
      <Notice kind="warn" action={<SignInLink className="button" onClick={signOut} />}>
        {t('error.unauthorized')} {t('draft.waits')}
      </Notice>
    );
  }
  return (
    <>
      {failed.form !== undefined && <Notice kind="danger">{failed.form}</Notice>}
      {count > 0 && <Notice kind="danger">{t('form.fix', { count })}</Notice>}
    </>
  );
}
