import { createHash } from 'node:crypto';

/**
 * Runs in the browser when an issuer answers in the fragment, which never reaches a server. It
 * reloads the same path with the token in the query and takes nothing else along: neither the host
 * nor the path comes from the fragment.
 */
const script = `
const given = new URLSearchParams(location.hash.slice(1));
const kept = new URLSearchParams();
for (const name of ['id_token', 'state', 'error']) if (given.has(name)) kept.set(name, given.get(name));
if (kept.has('id_token') || kept.has('error')) location.replace(location.pathname + '?' + kept);
else document.getElementById('message').textContent = 'No sign-in token was found. Please start again.';
`;

const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Signing in</title></head>
<body><p id="message">Signing in ...</p><noscript>Signing in needs JavaScript.</noscript><script>${script}</script></body>
</html>
`;

export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const scriptHash = createHash('sha256').update(script).digest('base64');

/**
 * The page that moves a token from the fragment to the query. Its policy allows only this script,
 * by hash.
 */
export const callbackPage: Page = {
  html,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  },
};
