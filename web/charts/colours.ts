/** Colours of charts, from the custom properties of the page, so that they follow its theme. */
const names = ['paper', 'ink', 'quiet', 'line', 'accent', 'up', 'down', 'second', 'warn'] as const;

export type Colours = Readonly<Record<(typeof names)[number], string>>;

/** As plain colours, because a canvas knows no `light-dark()`. */
export function readColours(host: Element): Colours {
  const probe = document.createElement('span');
  host.append(probe);
  const colours = Object.fromEntries(
    names.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return colours as Colours;
}

/** The colour with less than full strength, 0 to 1. */
export const faded = (colour: string, strength: number): string =>
  colour.replace(/^rgba?\(([^)]+)\)$/, (_, parts: string) => {
    const [red, green, blue] = parts.split(/[ ,/]+/);
    return `rgba(${red}, ${green}, ${blue}, ${strength})`;
  });

/** Calls back when the theme changes: the user's choice in the page, or the system's. */
export function onTheme(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', changed);
  addEventListener('themechange', changed);
  return () => {
    dark.removeEventListener('change', changed);
    removeEventListener('themechange', changed);
  };
}

/** Calls back with the width of an element whenever it changes. */
export function onWidth(host: Element, changed: (width: number) => void): () => void {
  let last = -1;
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width === last || width === 0) return;
    last = width;
    changed(width);
  });
  observer.observe(host);
  return () => observer.disconnect();
}
