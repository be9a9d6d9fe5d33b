// The first script, as small as can be: what the first page needs is asked for at once (settings, texts, the app, the
// page's own script, its first answers) instead of one after the other. The app itself begins in start.tsx.
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/tables.css';
import './styles/shell.css';
import './styles/pages.css';
import { applyScheme, preferredLanguage, preferredScheme } from './app/chosen';
import { askEarly } from './app/early';
import { loadSettings } from './app/settings';
import { loadTexts } from './i18n/load';

applyScheme(preferredScheme());
const settings = loadSettings();
const texts = loadTexts(preferredLanguage());
settings.then(() => askEarly(location), () => undefined);

/** The pages that people come to first; a failure is the router's business, which asks for them again. */
const PAGES: [RegExp, () => Promise<unknown>][] = [
  [/^\/$/, () => import('./catalog/StartPage')],
  [/^\/equipment$/, () => import('./catalog/BrowsePage')],
  [/^\/equipment\/[^/]+$/, () => import('./catalog/VehiclePage')],
];
PAGES.find(([path]) => path.test(location.pathname))?.[1]().catch(() => undefined);

import('./start').then(
  ({ start }) => start(settings, texts),
  () => document.getElementById('app')?.append('The app could not be loaded. Please reload the page. · Приложение не загрузилось, обновите страницу.'),
);
