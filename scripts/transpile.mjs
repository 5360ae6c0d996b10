/**
 * Transpiles each module of the tree to `dist/`, file by file and without its types, which
 * `npm run check` proves. Only a file that is newer than its output is written again, so an edit
 * costs a fraction of a second.
 *
 * A script of threads stands for its form in `dist/bundle`: tests start hundreds of threads, and one
 * that loads its modules file by file takes a quarter of a second of a processor, three times as
 * much.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';
import { threads } from './threads.mjs';

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
const folders = [...rooms, 'workers', 'test', 'bench'];
/** AssemblyScript, which another script compiles, and files of types alone. */
const others = ['engine/simd/assembly/**', '**/*.d.ts'];

const changedMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const sources = globSync(
  folders.map((folder) => `${folder}/**/*.ts`),
  { cwd: root, ignore: others },
);
const outputOf = (file) => `dist/${file.replace(/ts$/, 'js')}`;
const outputs = new Set(sources.map(outputOf));
const stale = sources.filter(
  (file) => !threads.includes(file) && changedMs(join(root, file)) >= changedMs(join(root, outputOf(file))),
);
mkdirSync(join(root, 'dist'), { recursive: true });
if (stale.length > 0) {
  await build({
    ...{ absWorkingDir: root, entryPoints: stale, outdir: 'dist', outbase: '.', logLevel: 'warning' },
    ...{ platform: 'node', format: 'esm', target: 'node20.20', sourcemap: true },
  });
}

for (const file of threads) {
  const bundled = relative(dirname(outputOf(file)), `dist/bundle/${basename(file, '.ts')}.js`);
  mkdirSync(dirname(join(root, outputOf(file))), { recursive: true });
  const hasTask = readFileSync(join(root, file), 'utf8').includes('\nexport default ');
  const task = hasTask ? `export { default } from '${bundled}';\n` : '';
  writeFileSync(join(root, outputOf(file)), `export * from '${bundled}';\n${task}`);
}

/** A module that is gone from the sources must be gone for the tests too. */
for (const folder of readdirSync(join(root, 'dist'))) {
  if (!folders.includes(folder)) continue;
  const compiled = globSync(`dist/${folder}/**/*.js`, { cwd: root, ignore: ['dist/test/together/**'] });
  for (const file of compiled) if (!outputs.has(file)) rmSync(join(root, file));
}
