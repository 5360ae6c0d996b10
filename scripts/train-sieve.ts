/**
 * `npm run train:sieve` trains the model of the sieve on the bundled bars, writes it to
 * sample/sieve.json and its figures into docs/sieve.md. It takes some minutes; the same code and
 * bars give the same bytes. `--check` writes nothing and fails if the bytes differ.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openBars } from '../data/bars/index.js';
import { sievePath } from '../data/sieve/index.js';
import { trainSieve } from '../research/sieve/index.js';

const root = resolve(import.meta.dirname, '..');
const sampleDir = join(root, 'sample');
const store = openBars({ home: '/nonexistent', sampleDir });
const { text, version, tables } = await trainSieve({
  store,
  onSeries: (asset, timeframe, runs) => console.log(`${asset} ${timeframe}: ${runs} runs so far`),
});
const page = join(root, 'docs/sieve.md');
const marks = /(<!-- figures: [^\n]*-->\n)[\s\S]*(<!-- \/figures -->)/;
const written = readFileSync(page, 'utf8').replace(marks, (_, from, to) => `${from}\n${tables}\n\n${to}`);
const outputs = [
  [sievePath(sampleDir), text],
  [page, written],
] as const;
if (process.argv.includes('--check')) {
  for (const [path, content] of outputs) {
    if (readFileSync(path, 'utf8') !== content) throw new Error(`${path} differs from what the training makes`);
  }
} else {
  for (const [path, content] of outputs) writeFileSync(path, content);
}
console.log(`model ${version}`);
