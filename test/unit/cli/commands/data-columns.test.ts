import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { assertRefused, jsonOf, runCliBatch } from '../../../support/cli.js';
import { fileOf, tempFolder } from '../../../support/data-fixtures.js';

const commandsIn =
  (home: string) =>
  (...commands: readonly string[][]) =>
    runCliBatch(commands, { home });

const add = (file: string, ...more: readonly string[]) => ['data', 'columns', 'add', file, '--asset', 'BTC', ...more];

async function home(t: TestContext) {
  const folder = tempFolder(t);
  const scores = await fileOf(
    folder,
    'scores.csv',
    'day,score,seen\n2024-01-01,5,2024-01-02T02:00:00Z\n2024-01-02,-5,2024-01-03T02:00:00Z\n2024-01-01,9,2024-01-05T00:00:00Z\n',
  );
  return { folder, scores, run: commandsIn(folder) };
}

test('columns are added, listed, used, checked and removed', async (t) => {
  const { folder, scores, run } = await home(t);
  const strategy = await fileOf(
    folder,
    'strategy.json',
    JSON.stringify({
      asset: 'BTC',
      entry: [
        {
          name: 'column_crosses_above',
          signal_type: 'TRIGGER',
          timeframe: '1h',
          params: { column: 'Score', threshold: 1 },
        },
      ],
    }),
  );
  const backtest = [
    'backtest',
    '--strategy',
    strategy,
    '--interval',
    '1h',
    '--start',
    '2024-01-01',
    '--end',
    '2024-03-01',
  ];
  const [before, added, used, removed, gone] = await run(
    [...backtest, '--json'],
    add(scores, '--time', 'day', '--published', 'seen', '--column', 'Score=score', '--interval', '1h'),
    [...backtest, '--json'],
    ['data', 'columns', 'remove', 'Score', '--asset', 'BTC'],
    ['data', 'columns', 'list'],
  );
  assert.equal(before!.code, 2);
  const hint = 'add it with: barline data columns add FILE --asset BTC --column Score';
  assert.equal(
    (JSON.parse(before!.stdout) as { denied_signals: { message: string }[] }).denied_signals[0]!.message,
    `column_crosses_above: the data has no column Score; ${hint}`,
  );
  assert.match(
    added!.stdout,
    /^added Score of BTC: 2 values, published 2024-01-02T02:00:00Z to 2024-01-03T02:00:00Z\n {2}1 value revised later; the first published one is kept\n {2}1h: [\d,]+ of 70,811 bars have a value\n$/,
  );
  const result = jsonOf(used!) as { manifest: { data: object }; diagnostics: { trigger_true: number } };
  assert.match(
    JSON.stringify(result.manifest.data),
    /"columns":\[\{"column":"Score","content_hash":"[0-9a-f]{64}","revisions":1\}\]/,
  );
  assert.equal(removed!.stdout, 'removed Score of BTC: 2 values\n');
  assert.doesNotMatch(gone!.stdout, /Score/);
});

test('bad input is refused in one line', async (t) => {
  const { scores, run } = await home(t);
  const refused: [string[], RegExp][] = [
    [add(scores, '--time', 'day', '--column', '=score'), /column must be NAME=FROM, was "=score"/],
    [add(scores, '--time', 'day', '--column', 'A=score', 'A=score'), /column A is given twice/],
    [['data', 'columns', 'remove', 'FearGreed', '--asset', 'BTC'], /no added column "FearGreed" of BTC/],
  ];
  const ended = await run(...refused.map(([command]) => command));
  for (const [k, [command, message]] of refused.entries()) assertRefused(ended[k]!, message, command.join(' '));
});
