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

/** Finds an element that every page has; throws if it is missing. */
export function find<T extends Element>(kind: new () => T, selector: string, within: ParentNode = document): T {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** The closest element around the target of an event, or null. */
export const around = <T extends Element = HTMLElement>({ target }: Event, selector: string): T | null =>
  target instanceof Element ? target.closest<T>(selector) : null;

/** Replaces the text of a heading with a button. */
export function headButton(head: HTMLElement, onClick: () => void): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = head.textContent;
  head.replaceChildren(button);
  button.addEventListener('click', onClick);
}

/** Marks the heading by which a table is sorted. */
export function markSorted(heads: readonly HTMLElement[], sortedBy: number, isDescending: boolean): void {
  for (const [i, head] of heads.entries()) {
    if (i === sortedBy) head.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  }
}

const SVG = 'http://www.w3.org/2000/svg';

/** Creates an SVG element with attributes. */
export function draw(name: string, attributes: Readonly<Record<string, string | number>>, text?: string): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

export type Key = number | string | null;

/**
 * Indices of the keys in sorted order. Null comes last in both directions; equal keys keep their
 * order.
 */
export function sortedIndices(keys: readonly Key[], isDescending: boolean): number[] {
  const sign = isDescending ? -1 : 1;
  return Array.from(keys.keys()).sort((a, b) => {
    const [x, y] = [keys[a], keys[b]];
    if (x === y) return a - b;
    if (x === null) return 1;
    if (y === null) return -1;
    return x < y ? -sign : sign;
  });
}
