/**
 * Bundles the workbench into `dist/web`: the page, and in `app` its scripts and styles, each named
 * by its content with a compressed form beside it. The engine is a script of its own, which its
 * thread loads while the page draws.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { licenses, packagesIn } from './licenses.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = resolve(root, 'dist/web');
const app = resolve(folder, 'app');
const shared = {
  ...{ absWorkingDir: root, outdir: app, bundle: true, format: 'esm', target: 'es2022', minify: true },
  ...{ entryNames: '[name]-[hash]', chunkNames: 'part-[hash]', metafile: true, logLevel: 'warning' },
};

/** The files that a build wrote for an entry, by extension. */
function outputs({ metafile }, entry) {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  return { script: basename(found[0]), style: found[1].cssBundle && basename(found[1].cssBundle), metafile };
}

mkdirSync(app, { recursive: true });
const engine = outputs(await build({ ...shared, entryPoints: ['web/engine/worker.ts'] }), 'web/engine/worker.ts');
const page = outputs(
  await build({
    ...{ ...shared, entryPoints: ['web/workbench.tsx'], splitting: true, jsx: 'automatic', jsxImportSource: 'preact' },
    define: { ENGINE_SCRIPT: JSON.stringify(`/app/${engine.script}`) },
  }),
  'web/workbench.tsx',
);

const written = [engine, page].flatMap(({ metafile }) => Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of readdirSync(app)) {
  if (!written.includes(name.replace(/\.gz$/, ''))) rmSync(resolve(app, name)); // of an older build
}
for (const name of written)
  writeFileSync(resolve(app, `${name}.gz`), gzipSync(readFileSync(resolve(app, name)), { level: 9 }));
const html = readFileSync(resolve(root, 'web/index.html'), 'utf8');
writeFileSync(resolve(folder, 'index.html'), html.replace('{style}', page.style).replace('{script}', page.script));
const packages = [engine, page].flatMap(({ metafile }) => packagesIn(metafile));
writeFileSync(resolve(folder, 'LICENSES.txt'), licenses(packages));
