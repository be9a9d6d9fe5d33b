// The start of the app: session, then the first page, once its settings and texts are there.
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './app/api';
import { dropOldDrafts } from './app/drafts';
import { router } from './app/router';
import { restoreSession } from './app/session';
import type { Settings } from './app/settings';
import { TextsProvider } from './i18n';
import type { Loaded } from './i18n/load';

export function start(settings: Promise<Settings>, texts: Promise<Loaded>): void {
  restoreSession();
  dropOldDrafts();
  const place = document.getElementById('app') as HTMLElement;
  const show = (page: ReactNode) => {
    // what the page's own HTML shows until then
    place.replaceChildren();
    createRoot(place).render(page);
  };
  // The page's own script comes beside the rest, not after it. If it does not, the page says so.
  router.preloadRoute({ to: location.pathname } as Parameters<typeof router.preloadRoute>[0]).catch(() => undefined);
  // Drawn in a step of its own, after the scripts have been read: on a slow phone the page answers in between.
  Promise.all([texts, settings, new Promise((done) => setTimeout(done))]).then(
    ([texts]) =>
      show(
        <StrictMode>
          <TextsProvider initial={texts}>
            <QueryClientProvider client={queries}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </TextsProvider>
        </StrictMode>,
      ),
    () =>
      show(
        <main>
          <h1>The app cannot start</h1>
          <p>Its settings could not be read. Please try again in a moment. · Не удалось прочитать настройки, попробуйте позже.</p>
        </main>,
      ),
  );
}
