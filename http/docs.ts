import { join } from 'node:path';
import { Router } from 'express';
import { pacedJson } from '../rpc/index.js';
import { type Overview, openApiDocument } from './openapi.js';
import { pathPrefixes } from './paths.js';
import type { Route } from './route.js';
import { workbenchRouter } from './workbench.js';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1a7f64"/>
<path d="M4 3v10M8 5v8M12 2v11M3 6h2M7 9h2M11 5h2" stroke="#fff" stroke-width="1.5" fill="none"/></svg>
`;

/** The explorer takes its colours as attributes; the page is dark while the system is. */
const start = `const colours = {
  light: { 'bg-color': '#ffffff', 'text-color': '#333333', 'header-color': '#14614d', 'nav-bg-color': '#f4f6f5',
    'nav-text-color': '#333333', 'nav-hover-bg-color': '#dfe8e4', 'nav-hover-text-color': '#14614d',
    'primary-color': '#1a7f64', 'secondary-color': '#1a7f64' },
  dark: { 'bg-color': '#16191c', 'text-color': '#d6dade', 'header-color': '#14614d', 'nav-bg-color': '#1e2226',
    'nav-text-color': '#d6dade', 'nav-hover-bg-color': '#2b3136', 'nav-hover-text-color': '#5fd3b0',
    'primary-color': '#3fbf98', 'secondary-color': '#3fbf98' },
};
const explorer = document.querySelector('openapi-explorer');
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => {
  for (const [name, value] of Object.entries(colours[dark.matches ? 'dark' : 'light'])) explorer.setAttribute(name, value);
  document.body.style.background = explorer.getAttribute('bg-color');
};
dark.addEventListener('change', follow);
follow();
`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Barline API</title>
<link rel="icon" href="/favicon.ico">
<style>
body { margin: 0; font-family: system-ui, sans-serif }
openapi-explorer { height: 100vh; --font-regular: system-ui, sans-serif; --font-size-regular: 16px; --font-size-small: 14px;
  --font-size-mono: 14px }
@media (prefers-color-scheme: dark) {
  openapi-explorer { --border-color: #3a4147; --light-border-color: #2b3136; --placeholder-color: #7d868e;
    --inline-code-fg: #ff9e9e; --code-fg: #c4ccd3; --code-property-color: #ff9ec4; --code-keyword-color: #7cc4ff;
    --code-operator-color: #e0b98a }
}
</style>
</head>
<body>
<openapi-explorer spec-url="/openapi.json" hide-server-selection="true" use-path-in-nav-bar="true" collapse="true">
<noscript>The description of the API needs JavaScript to be drawn; <a href="/openapi.json">read it as JSON</a>.</noscript>
</openapi-explorer>
<script src="/docs/start.js"></script>
<script src="/docs/explorer.js"></script>
</body>
</html>
`;

/**
 * The page runs the scripts of this server and talks to it alone. The explorer styles its elements
 * one by one.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the OpenAPI document, its page and the overview. All files come from this server, so it
 * works without a network.
 * @param dist folder of what the build wrote for pages
 */
export function docsRouter(routes: readonly Route[], version: string, dist: string): Router {
  const router = Router();
  let document: Promise<Buffer> | null = null; // built on first request, so that starting stays fast
  const overview: Overview = {
    success: true,
    name: 'Barline',
    version,
    docs: '/docs',
    openapi: '/openapi.json',
    api: pathPrefixes.v1,
    health: '/health',
  };
  const workbench = join(dist, 'web');
  router.use(workbenchRouter(workbench, (_request, response) => void response.json(overview)));
  router.get('/openapi.json', async (_request, response) => {
    document ??= pacedJson(openApiDocument(routes, version)).then(Buffer.concat);
    response.type('json').send(await document);
  });
  router.get('/docs', (_request, response) => {
    response.set('Content-Security-Policy', policy).type('html').send(page);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(start);
  });
  router.get('/docs/explorer.js', (_request, response) => {
    response.sendFile(join(dist, 'docs-page/openapi-explorer.js'));
  });
  // Browsers request this path for every page.
  router.get('/favicon.ico', (_request, response) => {
    response.type('svg').send(icon);
  });
  return router;
}
