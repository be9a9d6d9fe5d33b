// The states of something that is read: loading, failed, there. And of something that is sent.
import { ApiError } from '@equipment-platform/client';
import { Link } from '@tanstack/react-router';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { may, type Permission, signOut, useCaller } from '../app/session';
import { useT } from '../i18n';
import { Empty, Loading, Notice, PageHead } from './basics';
import { describe } from './errors';
import { SignInLink } from './SignInLink';

/** Shows a query: a skeleton while it is read, its failure with another try, or what it found. */
export function Shown<T>({ query, skeleton, children }: { query: UseQueryResult<T>; skeleton: ReactNode; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading>{skeleton}</Loading>;
}

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useT();
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty title={t('state.notFound')}>
        <p>{t('state.notFoundHint')}</p>
        <Link to="/equipment" className="button">
          {t('nav.browse')}
        </Link>
      </Empty>
    );
  }
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
  return (
    <Notice
      kind="danger"
      action={
        retry && (
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

/** 409: nothing was saved. The reader decides when the newer version replaces what was typed. */
export function Conflict({ reload }: { reload: () => void }) {
  const t = useT();
  return (
    <Notice
      kind="warn"
      action={
        <button type="button" className="button" onClick={reload}>
          {t('conflict.reload')}
        </button>
      }
    >
      <b>{t('conflict.title')}</b>
      <br />
      {t('conflict.text')}
    </Notice>
  );
}

/** A page for those who may see it; others are told what is missing. */
export function Guard({ permission, children }: { permission: Permission; children: ReactNode }) {
  const t = useT();
  const caller = useCaller();
  if (may(caller, permission)) return <>{children}</>;
  return (
    <>
      <PageHead title={t(caller === undefined ? 'guard.signIn' : 'guard.role')} />
      <Empty title={t(caller === undefined ? 'guard.signInHint' : 'guard.roleHint')}>
        <SignInLink className="button primary" />
      </Empty>
    </>
  );
}
