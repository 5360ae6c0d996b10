import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router, static as serveStatic } from 'express';
import { pacedJson } from '../rpc/index.js';
import { type Overview, openApiDocument } from './openapi.js';
import { pathPrefixes } from './paths.js';
import type { Route } from './route.js';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Barline API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="icon" href="/docs/assets/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** The page is dark while the system is. */
const start = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });
`;

/**
 * Serves the OpenAPI document, its page and the overview. All files come from this server, so it
 * works without a network.
 */
export function docsRouter(routes: readonly Route[], version: string): Router {
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
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
  router.get('/', (_request, response) => {
    response.json(overview);
  });
  router.get('/openapi.json', async (_request, response) => {
    document ??= pacedJson(openApiDocument(routes, version)).then(Buffer.concat);
    response.type('json').send(await document);
  });
  router.get('/docs', (_request, response) => {
    response.type('html').send(page);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(start);
  });
  // Browsers request this path for every page.
  router.get('/favicon.ico', (_request, response) => {
    response.sendFile(join(assets, 'favicon-32x32.png'));
  });
  router.use('/docs/assets', serveStatic(assets, { index: false, redirect: false }));
  return router;
}
