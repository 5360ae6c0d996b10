import { createHash } from 'node:crypto';
import { visible } from '../engine/text.js';
import { NONE } from './format.js';
import { style } from './style.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes text for element content or a quoted attribute. Control characters that HTML forbids and
 * marks that turn the direction of writing are shown as escapes.
 */
export const escapeHtml = (text: string): string =>
  // biome-ignore lint/style/noNonNullAssertion: the pattern matches only keys of the table
  text.replace(/[^\n\t]+/g, visible).replace(/[&<>"']/g, (sign) => entities[sign]!);

/**
 * JSON for a script element: without `<`, no text can end the element or open a comment. Its texts
 * show what `escapeHtml` shows.
 */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/[^ -~]+/g, (signs) => visible(signs).replaceAll('\\', '\\\\'))
    .replace(/</g, '\\u003c');

/** Text for screen readers only. */
export const spoken = (text: string): string => `<span class="spoken">${escapeHtml(text)}</span>`;

/** Text of a number cell; screen readers hear the meaning of a dash. */
export const numberText = (text: string): string =>
  text === NONE ? `${NONE}${spoken(' not defined')}` : escapeHtml(text);

export function section(id: string, title: string, body: string, note = ''): string {
  const remark = note === '' ? '' : `<p class="note">${escapeHtml(note)}</p>\n`;
  return `<section id="${id}" aria-labelledby="${id}-title">\n<h2 id="${id}-title">${escapeHtml(title)}</h2>\n${remark}${body}\n</section>\n`;
}

/** A table that scrolls inside its own box and can be reached by keyboard. */
export function scrollTable(name: string, table: string, className = ''): string {
  return `<div class="scroll ${className}" role="region" tabindex="0" aria-label="${escapeHtml(name)}">${table}</div>`;
}

/** Two columns: a name, with its meaning if there is one, and its value. */
export function pairTable(
  caption: string,
  rows: readonly (readonly [name: string, value: string, meaning?: string | undefined])[],
  className = '',
): string {
  const body = rows.map(([name, value, meaning]) => {
    const small = meaning === undefined ? '' : `<small>${escapeHtml(meaning)}</small>`;
    const isLong = value.length > 80 || value.includes('\n');
    const cell = isLong ? `<pre>${escapeHtml(value)}</pre>` : numberText(value);
    return `<tr><th scope="row">${escapeHtml(name)}${small}</th><td${isLong ? ' class="long"' : ''}>${cell}</td></tr>`;
  });
  return `<table class="pairs ${className}"><caption class="spoken">${escapeHtml(caption)}</caption><tbody>${body.join('\n')}</tbody></table>`;
}

interface Page {
  readonly title: string;
  readonly header: string;
  readonly main: string;
  readonly footer: string;
  /** CSS rules of this page only. */
  readonly style?: string;
  readonly script: string;
  /** The script reads it; the browser never executes it. */
  readonly data: unknown;
}

/**
 * One self-contained HTML file. Its content security policy forbids all requests and allows, by
 * hash, only the script of this page: even text that slipped through escaping could not run.
 */
export function page({ title, header, main, footer, style: own = '', script, data }: Page): string {
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${style}${own}</style>
</head>
<body>
<header>
<button type="button" id="theme" class="control" hidden>Theme: system</button>
${header}
</header>
<main>
${main}</main>
<footer>${footer}</footer>
<script type="application/json" id="data">${scriptJson(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}
