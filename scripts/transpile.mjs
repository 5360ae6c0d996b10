/**
 * Transpiles each module of the tree to `dist/`, file by file and without its types, which
 * `npm run check` proves. Only a file that is newer than its output is written again, so an edit
 * costs a fraction of a second.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';

const root = resolve(import.meta.dirname, '..');
const rooms = [
  'cli',
  'contract',
  'data',
  'engine',
  'http',
  'library',
  'mcp',
  'report',
  'research',
  'rpc',
  'server',
  'service',
];
const folders = [...rooms, 'workers', 'test'];
/** AssemblyScript, which another script compiles, and files of types alone. */
const others = ['engine/simd/assembly/**', '**/*.d.ts'];

const changedMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const sources = globSync(
  folders.map((folder) => `${folder}/**/*.ts`),
  { cwd: root, ignore: others },
);
const outputs = new Set(sources.map((file) => `dist/${file.replace(/ts$/, 'js')}`));
const stale = sources.filter(
  (file) => changedMs(join(root, file)) >= changedMs(join(root, `dist/${file.replace(/ts$/, 'js')}`)),
);
mkdirSync(join(root, 'dist'), { recursive: true });
if (stale.length > 0) {
  await build({
    ...{ absWorkingDir: root, entryPoints: stale, outdir: 'dist', outbase: '.', logLevel: 'warning' },
    ...{ platform: 'node', format: 'esm', target: 'node20.20', sourcemap: true },
  });
}

/** A module that is gone from the sources must be gone for the tests too. */
for (const folder of readdirSync(join(root, 'dist'))) {
  if (!folders.includes(folder)) continue;
  const compiled = globSync(`dist/${folder}/**/*.js`, { cwd: root, ignore: ['dist/test/together/**'] });
  for (const file of compiled) if (!outputs.has(file)) rmSync(join(root, file));
}
