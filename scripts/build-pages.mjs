/**
 * Bundles the scripts of the pages and writes them as a module, because a page embeds its script.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const file = resolve(root, 'report/browser-bundle.ts');
const entries = { tearSheet: 'tear-sheet', comparison: 'comparison', sweep: 'sweep' };

const lines = ['// Written by scripts/build-pages.mjs from report/browser.'];
for (const [name, entry] of Object.entries(entries)) {
  const { outputFiles } = await build({
    entryPoints: [resolve(root, `report/browser/${entry}.ts`)],
    ...{ bundle: true, write: false, format: 'iife', target: 'es2022', minify: true, logLevel: 'warning' },
  });
  lines.push(`export const ${name}Script: string = ${JSON.stringify(outputFiles[0].text.trim())};`);
}
const text = `${lines.join('\n')}\n`;
// An unchanged file keeps its modification time, so the compiler does not run again.
if (readOr(file, '') !== text) writeFileSync(file, text);

function readOr(path, otherwise) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
