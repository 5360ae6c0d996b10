import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Honesty } from '../../../engine/index.js';
import { jsonOf, runCliBatch } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** What the sweep of the demo says in words against the figures of its JSON. */

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
interface InWords extends Honesty {
  readonly verdict: string;
  readonly findings: readonly { readonly question: string; readonly answer: string }[];
}
const [one] = (jsonOf(swept!) as { honesty: InWords[] }).honesty as [InWords];
const text = told!.stdout.replace(/\s+/g, ' ');
const answers = Object.fromEntries(one.findings.map(({ question, answer }) => [question, answer.replace(/\s+/g, ' ')]));

/** The numbers that the groups of a pattern find, with signs and without separators. */
function numbersIn(said: string | undefined, pattern: RegExp): number[] {
  const found = pattern.exec(said ?? '') ?? assert.fail(`${said} does not match ${pattern}`);
  return found.slice(1).map((part) => Number(part.replaceAll(',', '').replace('\u2212', '-')));
}

const NUMBER = '([-\u2212]?[\\d,]+(?:\\.\\d+)?)';
const pattern = (words: string) => new RegExp(words.replaceAll('#', NUMBER));

/** Equal when the figure is rounded as the words are. */
function assertSaid(said: readonly number[], figures: readonly (readonly [value: number | null, digits: number])[]) {
  assert.deepEqual(
    said,
    figures.map(([value, digits]) => Number((value ?? Number.NaN).toFixed(digits)) + 0),
  );
}

test('the verdict names the leader, the tries and the value of the JSON', () => {
  const { leader, trialCount } = one;
  const said = numbersIn(
    one.verdict.replace(/\s+/g, ' '),
    pattern('Run # has the highest Sharpe ratio of # tries that traded, #'),
  );
  assertSaid(said, [
    [leader.run, 0],
    [trialCount, 0],
    [leader.value, 2],
  ]);
});

const cases: readonly (readonly [question: string, words: string, readonly (readonly [number | null, number])[]])[] = [
  [
    'Is it luck?',
    'the best of the # tries has a Sharpe ratio of # on average, as the best of about # unrelated tries would; run # has #',
    [
      [one.trialCount, 0],
      [one.luckySharpe, 2],
      [one.effectiveTrialCount, 1],
      [one.leader.run, 0],
      [one.sharpe, 2],
    ],
  ],
  ['Is it luck?', 'above what luck gives, is # %', [[100 * (one.deflatedSharpe ?? Number.NaN), 0]]],
  ['Is it luck?', 'above 0 with a probability of # %', [[100 * (one.probabilisticSharpe ?? Number.NaN), 0]]],
  [
    'Is it the market?',
    'the account moves # %; .* compounded \\(t #;',
    [
      [one.marketLine?.beta ?? null, 2],
      [one.marketLine?.t ?? null, 1],
    ],
  ],
  [
    'Is it the market?',
    'A trade moves # % before costs on average; .* held as long, move # %',
    [
      [100 * (one.timing?.meanReturn ?? Number.NaN), 2],
      [100 * (one.timing?.randomMeanReturn ?? Number.NaN), 2],
    ],
  ],
  [
    'Does choosing the best try help?',
    'In # % of # ways',
    [
      [100 * (one.overfitting?.pbo ?? Number.NaN), 0],
      [one.overfitting?.splitCount ?? null, 0],
    ],
  ],
  [
    'Is it a plateau or a lone peak?',
    'has # neighbours? .* Sharpe ratio is #, its own is #',
    [
      [one.plateau.neighbours, 0],
      [one.plateau.mean, 2],
      [one.leader.value, 2],
    ],
  ],
  [
    'Does it survive higher costs?',
    'At # times the costs, the Sharpe ratio .* is # and the return # %; at # times, they are # and # %',
    [one.costStress.at(-1), one.costStress[0]].flatMap((stress) => [
      [stress!.factor, 1] as const,
      [stress!.sharpe, 2] as const,
      [100 * stress!.totalReturn, 0] as const,
    ]),
  ],
  [
    'Is the data long enough?',
    'The sweep used # days. On less than # years',
    [
      [one.days, 0],
      [one.minBacktestYears, 1],
    ],
  ],
];

for (const [question, words, figures] of cases) {
  test(`"${question}" is answered with the figures of the JSON: ${words.slice(0, 40)}`, () => {
    assertSaid(numbersIn(answers[question], pattern(words)), figures);
  });
}

test('the terminal says the same sentences as the JSON', () => {
  for (const { question, answer } of one.findings) {
    const sentence = `${question} ${answer}`.replace(/\s+/g, ' ').replaceAll('\u2212', '-');
    assert.ok(text.includes(sentence), sentence);
  }
});
