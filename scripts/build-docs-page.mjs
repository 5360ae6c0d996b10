/**
 * Copies the script that draws the API documentation into `dist/docs-page`, with the licences of
 * what it contains. It comes bundled, so an installed package needs neither its package nor any
 * that it depends on.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isInstalled, licenses } from './licenses.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = resolve(root, 'dist/docs-page');
const drawer = 'openapi-explorer';

mkdirSync(folder, { recursive: true });
copyFileSync(resolve(root, `node_modules/${drawer}/dist/browser/${drawer}.min.js`), resolve(folder, `${drawer}.js`));

const names = new Set([drawer]);
for (const name of names) {
  const { dependencies = {} } = JSON.parse(readFileSync(resolve(root, `node_modules/${name}/package.json`), 'utf8'));
  for (const dependency of Object.keys(dependencies)) {
    if (isInstalled(dependency)) names.add(dependency);
  }
}
writeFileSync(resolve(folder, 'LICENSES.txt'), licenses(names));
