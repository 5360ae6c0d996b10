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
