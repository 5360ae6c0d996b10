import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../support/tree.js';

/** Comments and documents name files of the tree. Moving or deleting a file must update them. */

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString('utf8')
  .trim()
  .split('\n');
/** Files that the build writes. */
const built = ['engine/simd/binary.ts', 'engine/simd/assembly/run-layout.ts'];
const files = [...tracked, ...built];

/** A file name with any part of its path. Names in capitals are placeholders for the reader. */
const named = /(?<![\w/.:@-])(?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs|md|proto)\b(?![\w/-])/g;
const isPlaceholder = (name: string) => /(?:^|[-/])[A-Z]{4,}\.\w+$/.test(name) && !files.includes(name);

const comments = (text: string) => text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm) ?? [];

function unknownIn(text: string): string[] {
  // A link goes up first.
  const names = (text.match(named) ?? []).map((name) => name.replace(/^(?:\.\.\/)+/, ''));
  return names.filter((name) => !isPlaceholder(name) && !files.some((file) => `/${file}`.endsWith(`/${name}`)));
}

test('file names are told apart from other words', () => {
  assert.deepEqual(
    unknownIn('as engine/index.ts, index.ts, `engine/simd/gone.ts` and gone.md; see cli/commands/NAME.ts'),
    ['engine/simd/gone.ts', 'gone.md'],
  );
  assert.deepEqual(comments("a; // one\nb('http://c'); /* two\nlines */"), ['// one', '/* two\nlines */']);
});

test('every file that a comment or a document names exists', () => {
  const sources = tracked.filter((file) => /\.(ts|mjs|md|proto)$/.test(file) && file !== 'CHANGELOG.md');
  const unknown = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const told = file.endsWith('.md') ? text : comments(text).join('\n');
    return unknownIn(told).map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(unknown, []);
});
