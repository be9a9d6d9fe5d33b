// The states of something that is read: loading, failed, there. And of something that is sent.
import { ApiError } from '@equipment-platform/client';
import { Link } from '@tanstack/react-router';
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { may, type Permission, signOut, useCaller } from '../app/session';
import { useT } from '../i18n';
import { Empty, Loading, Notice, PageHead } from './basics';
import { describe } from './errors';
import { SignInLink } from './SignInLink';

interface ShownProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'refetch'>;
  skeleton: ReactNode;
  /** It is all that the page has: a failure is the page then, with a heading. */
  page?: boolean;
  children: (data: T) => ReactNode;
}

/** Shows a query: a skeleton while it is read, its failure with another try, or what it found. */
export function Shown<T>({ query, skeleton, page = false, children }: ShownProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return page ? <PageFailure error={query.error} retry={() => void query.refetch()} /> : <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading>{skeleton}</Loading>;
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 410);

export function PageFailure({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useT();
  if (!isMissing(error)) {
    return (
      <>
        <PageHead title={t('error.page')} />
        <Failure error={error} retry={retry} />
      </>
    );
  }
  return (
    <>
      <PageHead title={t('state.notFound')} lead={t('state.notFoundHint')} />
      <Link to="/equipment" className="button">
        {t('nav.browse')}
      </Link>
    </>
  );
}

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useT();
  if (error instanceof ApiError && error.status === 401) {
    return (
      <Notice
        kind="warn"
        action={
          <SignInLink className="button" onClick={signOut} />
        }
      >
        {t('error.unauthorized')}
      </Notice>
    );
  }
  // What is asked for stands in the address: asking again answers the same.
  if (error instanceof ApiError && error.code === 'validation_failed') {
    const details = Object.entries(error.details).map(([name, text]) => `${name}: ${text}`);
    return <Notice kind="warn">{[t('error.address'), ...details].join(' ')}</Notice>;
  }
  return (
    <Notice
      kind="danger"
      action={
        retry && !isMissing(error) && (
          <button type="button" className="button" onClick={retry}>
            {t('action.retry')}
          </button>
        )
      }
    >
      {describe(error, t)}
    </Notice>
  );
}

/** A list of choices that could not be read is not an empty one. */
export function ListFailure({ queries }: { queries: readonly UseQueryResult<unknown>[] }) {
  const t = useT();
  const failed = queries.filter(({ isError, data }) => isError && data === undefined);
  if (failed.length === 0) return null;
  return (
    <Notice
      kind="danger"
      action={
        <button type="button" className="button small" onClick={() => failed.forEach((query) => void query.refetch())}>
          {t('action.retry')}
        </button>
      }
    >
      {t('state.noChoices')} {describe(failed[0]?.error, t)}
    </Notice>
  );
}

/** A page for those who may see it; others are told what is missing. */
export function Guard({ permission, children }: { permission: Permission; children: ReactNode }) {
  const t = useT();
  const caller = useCaller();
  // Another person starts anew: nothing that one typed stays under the eyes of the next.
  if (may(caller, permission)) return <Fragment key={caller?.subject}>{children}</Fragment>;
  return (
    <>
      <PageHead title={t(caller === undefined ? 'guard.signIn' : 'guard.role')} />
      <Empty title={t(caller === undefined ? 'guard.signInHint' : 'guard.roleHint')}>
        <SignInLink className="button primary" />
      </Empty>
    </>
  );
}
