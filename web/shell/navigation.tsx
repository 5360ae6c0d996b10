import { useEffect, useState } from 'preact/hooks';
import { placeAddress } from './address.js';
import { views } from './views.js';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const THEME = 'barline.theme';

const keptTheme = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(THEME)) ?? 'system';

/** The bar at the top: views, the theme, and the way out. */
export function Navigation({ current, onSignOut }: { readonly current: string; readonly onSignOut: () => void }) {
  const [theme, setTheme] = useState(keptTheme);
  useEffect(() => {
    localStorage.setItem(THEME, theme);
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    dispatchEvent(new Event('themechange'));
  }, [theme]);
  return (
    <header class="bar">
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <h1 class="brand">Barline</h1>
      <nav aria-label="Views">
        {views.map(({ name, title }) => (
          <a href={placeAddress(name)} aria-current={name === current ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <label class="quiet">
        Theme{' '}
        <select value={theme} onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}>
          {THEMES.map((name) => (
            <option value={name}>{name}</option>
          ))}
        </select>
      </label>
      <a class="quiet" href="/docs" target="_blank" rel="noreferrer">
        API
      </a>
      <button type="button" class="quiet" onClick={onSignOut}>
        Sign out
      </button>
    </header>
  );
}
