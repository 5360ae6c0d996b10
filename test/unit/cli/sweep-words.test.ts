import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { jsonOf, runCliBatch } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** What the sweep of the demo says in words: `statistics-verdict.test.ts` proves the figures in them. */

const home = temporaryFolder('sweep-words');
const folder = join(home, 'crosses');
const [swept, told] = await runCliBatch(
  [
    ['sweep', 'examples/sweeps/crosses.json', '--out', folder, '--json'],
    ['sweep', '--resume', '--out', folder],
  ],
  { home },
);
assert.deepEqual([swept!.code, told!.code], [0, 0], swept!.stderr + told!.stderr);
interface InWords {
  readonly findings: readonly { readonly question: string; readonly answer: string }[];
}
const [one] = (jsonOf(swept!) as { honesty: [InWords] }).honesty;
const text = told!.stdout.replace(/\s+/g, ' ');

test('the terminal says the same sentences as the JSON', () => {
  for (const { question, answer } of one.findings) {
    const sentence = `${question} ${answer}`.replace(/\s+/g, ' ').replaceAll('\u2212', '-');
    assert.ok(text.includes(sentence), sentence);
  }
});
