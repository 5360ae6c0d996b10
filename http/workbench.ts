import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';

/**
 * The page runs the scripts of this server and talks to it alone. Its engine is WebAssembly, whose
 * memory threads share; browsers allow that in pages that are isolated from other origins.
 */
const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** A script keeps its name only as long as its content. */
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * Serves the workbench, which the build wrote into `folder`: `index.html` and, in `app`, files with
 * a compressed form beside each.
 * @param otherwise answers a client of `/` that wants no page
 */
export function workbenchRouter(folder: string, otherwise: RequestHandler): Router {
  const router = Router();
  let files: ReadonlySet<string> | null = null;
  let page: string | null = null;
  router.get('/', (request, response, next) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html') return otherwise(request, response, next);
    page ??= readFileSync(join(folder, 'index.html'), 'utf8');
    response.set(headers).set('Cache-Control', 'no-cache').type('html').send(page);
  });
  router.get('/app/:file', (request: Request<{ file: string }>, response: Response, next) => {
    files ??= new Set(readdirSync(join(folder, 'app')));
    const { file } = request.params;
    if (!files.has(file)) return next();
    response.set(headers).set('Cache-Control', FOREVER).vary('Accept-Encoding').type(file);
    const isCompressed = request.acceptsEncodings('gzip') === 'gzip' && files.has(`${file}.gz`);
    if (isCompressed) response.set('Content-Encoding', 'gzip');
    response.sendFile(join(folder, 'app', isCompressed ? `${file}.gz` : file), { cacheControl: false });
  });
  return router;
}
