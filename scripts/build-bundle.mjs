/**
 * Bundles the command, the doors of the package and the scripts of its threads into `dist/bundle`,
 * which is what users run: loading 900 modules one by one took the service a quarter of its start.
 * What two entries share lies in one chunk, so the command and a module of signals that imports
 * `barline` have the same engine. All files lie in one folder, because the code that starts a
 * thread looks for its script beside itself. Other packages stay as npm installs them.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';
import { licenses } from './licenses.mjs';
import { threads } from './threads.mjs';

const root = resolve(import.meta.dirname, '..');
const outdir = resolve(root, 'dist/bundle');
const doors = ['library/index.ts', 'library/data.ts', 'library/report.ts', 'library/client.ts'];
/** Packages of hundreds of small modules that every start loads, where bundling pays, and small ones. */
const bundled = ['aws4fetch', 'kysely'];

const entryPoints = { barline: 'cli/main.ts' };
for (const file of [...doors, ...threads]) entryPoints[basename(file, '.ts')] = file;

const otherPackages = {
  name: 'other packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || bundled.includes(path) ? null : { path, external: true },
    );
  },
};

const { metafile } = await build({
  ...{ absWorkingDir: root, entryPoints, outdir, bundle: true, splitting: true, plugins: [otherPackages] },
  ...{ platform: 'node', format: 'esm', target: 'node20.20', sourcemap: true, logLevel: 'warning' },
  metafile: true,
});
const written = Object.keys(metafile.outputs).map((path) => basename(path));
for (const name of readdirSync(outdir)) {
  // Of an older build; a server may run the others.
  if (!written.includes(name)) rmSync(resolve(outdir, name));
}
// The help lists the commands without loading their code.
const list = execFileSync(process.execPath, [resolve(outdir, 'barline.js'), '--list-commands']);
writeFileSync(resolve(outdir, 'command-list.json'), list);
writeFileSync(resolve(outdir, 'LICENSES.txt'), licenses(bundled));
