// The pages of what cannot be shown: no such address, a page that could not be loaded, one that broke.
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { useState } from 'react';
import { useT } from '../i18n';
import { Notice, PageHead } from '../ui/basics';
import { useOnline } from './online';

/** The script of a page did not come: no connection, or a new release has taken its place. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('the page could not be loaded', { cause });
    this.name = 'PageNotLoaded';
  }
}

export function NotFoundPage() {
  const t = useT();
  return (
    <>
      <PageHead title={t('state.noPage')} lead={t('state.noPageHint')} />
      <Link to="/" className="button">
        {t('nav.search')}
      </Link>
    </>
  );
}

export function RouteFailure({ error }: ErrorComponentProps) {
  const t = useT();
  const online = useOnline();
  const [unreachable, setUnreachable] = useState(false);
  const why = !(error instanceof PageNotLoaded) ? 'error.pageBroke' : online ? 'error.pageUpdated' : 'error.pageOffline';
  // Reloading without a connection would leave the reader with the browser's own error page.
  const reload = () =>
    fetch('/settings.json', { cache: 'no-store' }).then(
      () => window.location.reload(),
      () => setUnreachable(true),
    );
  return (
    <>
      <PageHead title={t('error.page')} lead={t(why)} />
      <button type="button" className="button primary" onClick={() => void reload()}>
        {t('action.reload')}
      </button>
      {unreachable && <Notice kind="warn">{t('error.network')}</Notice>}
    </>
  );
}
