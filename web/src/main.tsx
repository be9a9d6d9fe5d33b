// The start of the app: settings, language, session, then the first page.
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/tables.css';
import './styles/shell.css';
import './styles/pages.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './app/api';
import { dropOldDrafts } from './app/drafts';
import { applyScheme } from './app/preferences';
import { router } from './app/router';
import { restoreSession } from './app/session';
import { loadSettings } from './app/settings';
import { initialTexts, TextsProvider } from './i18n';

applyScheme();
restoreSession();
dropOldDrafts();
const root = createRoot(document.getElementById('app') as HTMLElement);
// The page's own chunk comes beside the texts and the settings, not after them. If it does not, the page says so.
router.preloadRoute({ to: window.location.pathname } as Parameters<typeof router.preloadRoute>[0]).catch(() => undefined);

Promise.all([initialTexts(), loadSettings()]).then(
  ([texts]) =>
    root.render(
      <StrictMode>
        <TextsProvider initial={texts}>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </TextsProvider>
      </StrictMode>,
    ),
  () =>
    root.render(
      <main>
        <h1>The app cannot start</h1>
        <p>Its settings could not be read. Please try again in a moment. · Не удалось прочитать настройки, попробуйте позже.</p>
      </main>,
    ),
);
