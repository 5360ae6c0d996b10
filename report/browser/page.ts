import { find } from './dom.js';

/** The data that the page carries for its script; null if there is nothing to explore. */
export const pageData = <Data>(): Data | null =>
  JSON.parse(find(HTMLScriptElement, '#data').textContent ?? 'null') as Data | null;

/** Bytes from base64. */
export const unpack = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

const themes = ['system', 'light', 'dark'] as const;

/** The theme button: system, light, dark. Nothing is stored. */
export function startTheme(): void {
  const button = find(HTMLButtonElement, '#theme');
  let theme = 0;
  button.hidden = false;
  button.addEventListener('click', () => {
    theme = (theme + 1) % themes.length;
    if (theme === 0) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = themes[theme];
    button.textContent = `Theme: ${themes[theme]}`;
  });
}

/** Redraws a canvas when the theme changes; CSS does not reach its colours. */
export function onTheme(redraw: () => void): void {
  find(HTMLButtonElement, '#theme').addEventListener('click', redraw);
  for (const query of ['(prefers-color-scheme: dark)', 'print']) matchMedia(query).addEventListener('change', redraw);
}
