import { createHash } from 'node:crypto';
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
 * Text for element content or a quoted attribute; control characters that no document may hold are
 * replaced.
 */
export const escapeHtml = (text: string): string =>
  // biome-ignore lint/style/noNonNullAssertion: the pattern matches only what the table has
  text.replace(/[^\P{Cc}\n\t]|\p{Surrogate}/gu, '\ufffd').replace(/[&<>"']/g, (sign) => entities[sign]!);

/** JSON for a script element: no sign in it can end the element or start a comment. */
export const scriptJson = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

/** Text that looks are spared and screen readers read. */
export const spoken = (text: string): string => `<span class="spoken">${escapeHtml(text)}</span>`;

/** A number cell; a dash is read out as what it means. */
export const numberText = (text: string): string =>
  text === NONE ? `${NONE}${spoken(' not defined')}` : escapeHtml(text);

export function section(id: string, title: string, body: string, note = ''): string {
  const remark = note === '' ? '' : `<p class="note">${escapeHtml(note)}</p>\n`;
  return `<section id="${id}" aria-labelledby="${id}-title">\n<h2 id="${id}-title">${escapeHtml(title)}</h2>\n${remark}${body}\n</section>\n`;
}

/** A table that scrolls inside its own box, reachable by keyboard. */
export function scrollTable(name: string, table: string, className = ''): string {
  return `<div class="scroll ${className}" role="region" tabindex="0" aria-label="${escapeHtml(name)}">${table}</div>`;
}

/** Two columns: a name (with what it means, where known) and its value. */
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
  /** Rules that only this page has. */
  readonly style?: string;
  readonly script: string;
  /** Read by the script; never executed. */
  readonly data: unknown;
}

/**
 * One file that needs nothing else: the policy lets the browser fetch nothing and run the script of
 * this page only, by its hash, so that even a text that slipped through escaping could not run.
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
