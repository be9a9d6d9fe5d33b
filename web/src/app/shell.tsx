// The frame around every page: navigation, language, colours, who is signed in.
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useT, useTexts } from '../i18n';
import { Sign } from '../ui/icons';
import { SignInLink } from '../ui/SignInLink';
import { useJobs } from './jobs';
import { useOnline } from './online';
import type { Language, Scheme } from './chosen';
import { setScheme, useScheme } from './preferences';
import { may, signOut, useCaller } from './session';
import { useShelf } from './shelf';
import { ToastArea } from './toast';

const SCHEMES: Record<Scheme, { next: Scheme; sign: 'half' | 'sun' | 'moon' }> = {
  auto: { next: 'light', sign: 'half' },
  light: { next: 'dark', sign: 'sun' },
  dark: { next: 'auto', sign: 'moon' },
};

export function Shell() {
  const t = useT();
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const [open, setOpen] = useState(false);
  useFocusAfter(path, () => setOpen(false));
  return (
    <>
      <a className="skip" href="#main">
        {t('nav.skip')}
      </a>
      <header className="top">
        <div>
          <Link to="/" className="brand">
            <Sign name="mark" size={26} />
            {t('app.name')}
          </Link>
          <button type="button" className="button quiet icon menu-button" aria-expanded={open} aria-label={t('nav.menu')} onClick={() => setOpen(!open)}>
            <Sign name={open ? 'close' : 'menu'} />
          </button>
          <Navigation open={open} />
          <Tools open={open} />
        </div>
      </header>
      <Offline />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Compared />
      <Jobs />
      <footer>{t('app.footer')}</footer>
      <ToastArea />
    </>
  );
}

/** Says that there is no connection, as long as there is none. */
function Offline() {
  const t = useT();
  const online = useOnline();
  return <div role="status">{!online && <p className="offline">{t('state.offline')}</p>}</div>;
}

const CompareBar = lazy(() => import('../catalog/CompareBar'));

function Compared() {
  if (useShelf('compared').length === 0) return null;
  return (
    <Suspense fallback={null}>
      <CompareBar />
    </Suspense>
  );
}

const Tray = lazy(() => import('../documents/JobTray'));

/** What is being signed or sent goes on whatever page is shown, and is found here. */
function Jobs() {
  const caller = useCaller();
  const waiting = useJobs().length > 0;
  if (!waiting || !may(caller, 'EXCHANGE_WRITE')) return null;
  return (
    <Suspense fallback={null}>
      <Tray key={caller?.subject} />
    </Suspense>
  );
}

/** After a change of page the keyboard goes on at its heading, as soon as there is one. */
function useFocusAfter(path: string | undefined, onChange: () => void): void {
  const before = useRef(path);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    const first = before.current === undefined;
    if (before.current === path) return;
    before.current = path;
    if (first) return;
    change.current();
    const focus = () => {
      const heading = document.querySelector<HTMLElement>('main h1');
      heading?.focus({ preventScroll: true });
      return heading !== null;
    };
    const main = document.querySelector('main');
    if (focus() || main === null) return;
    const observer = new MutationObserver(() => focus() && observer.disconnect());
    observer.observe(main, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [path]);
}

function Navigation({ open }: { open: boolean }) {
  const t = useT();
  const caller = useCaller();
  return (
    <nav className={open ? 'open' : undefined} aria-label={t('nav.main')}>
      <ul>
        <li>
          <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
            {t('nav.search')}
          </Link>
        </li>
        <li>
          <Link to="/equipment" activeOptions={{ includeSearch: false }}>
            {t('nav.browse')}
          </Link>
        </li>
        <li>
          <Link to="/saved">{t('nav.saved')}</Link>
        </li>
        {may(caller, 'VEHICLE_WRITE') && (
          <li>
            <Link to="/mine">{t('nav.mine')}</Link>
          </li>
        )}
        {may(caller, 'EXCHANGE_READ') && (
          <li>
            <Link to="/documents">{t('nav.documents')}</Link>
          </li>
        )}
        {may(caller, 'VEHICLE_WRITE') && (
          <li>
            <Link to="/manage">{t('nav.manage')}</Link>
          </li>
        )}
      </ul>
    </nav>
  );
}

function Tools({ open }: { open: boolean }) {
  const { t, choose } = useTexts();
  const caller = useCaller();
  const scheme = useScheme();
  const router = useRouter();
  return (
    <div className={open ? 'tools open' : 'tools'}>
      <select aria-label={t('nav.language')} value={t.language} onChange={(event) => choose(event.target.value as Language)}>
        <option value="en">English</option>
        <option value="ru">Русский</option>
      </select>
      <button
        type="button"
        className="button quiet icon"
        title={t(`scheme.${scheme}`)}
        aria-label={t('scheme.label', { now: t(`scheme.${scheme}`) })}
        onClick={() => setScheme(SCHEMES[scheme].next)}
      >
        <Sign name={SCHEMES[scheme].sign} />
      </button>
      {caller === undefined ? (
        <SignInLink className="button" />
      ) : (
        <button
          type="button"
          className="button"
          title={t('session.as', { subject: caller.subject, roles: caller.roles.join(', ') })}
          onClick={() => {
            signOut();
            void router.navigate({ to: '/' });
          }}
        >
          {t('session.signOut', { subject: caller.subject })}
        </button>
      )}
    </div>
  );
}
