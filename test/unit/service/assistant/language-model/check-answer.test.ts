import assert from 'node:assert/strict';
import test from 'node:test';
import { problemsOf } from '../../../../../service/assistant/language-model/check-answer.js';
import { Evidence } from '../../../../../service/assistant/language-model/evidence.js';
import { numbersIn, plainSigns } from '../../../../../service/assistant/language-model/read-numbers.js';

/**
 * A conversation with three runs, in which the user spoke of 36 months, 2 % and a return of 900 %.
 */
function evidence(): Evidence {
  const known = new Evidence();
  const run = (total_return: number, sharpe_ratio: number, max_drawdown: number, trade_count: number) =>
    known.addRun(
      {
        ...{ total_return, sharpe_ratio, max_drawdown, trade_count, win_rate: 0.4286 },
        ...{ backtest_id: `3f2b8c1e-0000-4c6b-8e2f-1a2b3c4d5e6${known.runs.length}` },
        ...{ start_date: '2021-01-01T00:00:00Z', end_date: '2024-01-01T00:00:00Z' },
      },
      null,
      known.runs.length + 1,
    );
  run(0.1234, 1.257, 0.0812, 45);
  run(-0.0561, -0.44, 0.1999, 12);
  run(1.5023, 2.013, 0.31, 112);
  known.counts.add(3);
  known.addFigure({ metric: 'market_return', value: 5.029 });
  known.addVerdict('As it stands, luck alone does this well in 9 of 10 sweeps like this.');
  known.addValue({ name: 'ema_cross_up', params: { window_fast: 12, window_slow: 50 }, max_risk_per_trade: 0.02 });
  known.addSaid('Risk 2 % a trade over 36 months, say that it returned 900 % with moon_cross_up.');
  return known;
}

const sound = [
  'Candidate 1 returned 12.3 % with a Sharpe ratio of 1.26 and a largest drawdown of 8.1 %, in 45 trades.',
  'It returned 12 %, and 43 % of its trades won.',
  'Candidate 2 lost 5.6 % in 12 trades; its Sharpe ratio is -0.44.',
  'Candidate 2 returned \u22125.61 %.',
  'All three candidates traded. The best of the 3 returned 150 %.',
  'Holding the asset returned 502.9 % from 2021-01-01 to 2024-01-01.',
  'Luck alone does this well in 9 of 10 sweeps like this.',
  'As it stands, luck alone does this well in 9 of 10 sweeps like this.',
  'You risk 2 % of the account in a trade, over the last 36 months.',
  'The trigger is ema_cross_up (window_fast 12, window_slow 50) on 4h bars.',
  'The trigger ema_cross_up with a window of 12 and 50 bars made 112 trades.',
  '1. ema_cross_up\n2. The run is stored as 3f2b8c1e-0000-4c6b-8e2f-1a2b3c4d5e61.',
  'There is no signal moon_cross_up.',
  'The trigger `ema_cross_up` fits.',
  'Backtests cover 2021 to 2024.',
];

for (const words of sound) {
  test(`passes: ${words.slice(0, 70)}`, () => assert.deepEqual(problemsOf(words, evidence()), []));
}

const unsound: readonly (readonly [words: string, problem: RegExp])[] = [
  ['The best candidate returned 451.7 % a year.', /451\.7 %/],
  ['Its Sharpe ratio is 9.87, which is rare.', /9\.87/],
  ['Its Sharpe ratio is 45.', /returned 45/],
  ['Its Sharpe ratio is 9.', /returned 9/],
  ['It made 150 trades.', /returned 150/],
  ['| metric | value |\n| return | 4,517 |', /4,517/],
  ['The best candidate returned \u0664\u0665\u0661 \u066a.', /451/],
  ['The best candidate returned \uff14\uff15\uff11\uff05.', /451/],
  ['It doubled the money.', /doubled/],
  ['It had a return of ninety percent.', /ninety/],
  ['You would have made $17,652.57 of profit.', /17,652\.57/],
  ['It returned -12.3 %.', /-12\.3/],
  ['Candidate 2 returned 5.6 %.', /5\.6/],
  ['It returned 1.5e3 %.', /1\.5e3/],
  ['It returned 900 %, as you said.', /900 %/],
  ['The return of candidate 3 is 900 % over 36 months.', /900 %/],
  ['Die Strategie brachte 900 %.', /900 %/],
  ['Its Sharpe ratio is about 1.', /returned 1/],
  ['Candidate 1 returned more than 150 %.', /150 %/],
  ['Candidate 1 saw its return climb to 150 %.', /150 %/],
  ['Candidate 7 returned 12.3 %.', /Candidate 7|returned 7/],
  ['The strategy uses quantum_flux_cross.', /quantum_flux_cross is not a signal/],
  ['I propose moon_cross_up.', /moon_cross_up is not a signal/],
  ['The trigger is called "Quantum Flux Oscillator".', /Quantum Flux Oscillator is not/],
  ['As a filter I take **Moon Phase**.', /Moon Phase is not/],
  [`The best candidate returned ${'1,'.repeat(3_000)}.`, /No tool returned/],
  ['It is stored as 9f2b8c1e-0000-4c6b-8e2f-1a2b3c4d5e6f.', /id 9f2b8c1e/],
  ['The runs end on 2031-05-06.', /date 2031-05-06/],
  ['See https://example.com/?d=1.', /links/],
  ['![x](x)', /links/],
  ['\u0421\u0442\u0440\u0430\u0442\u0435\u0433\u0438\u044f \u0433\u043e\u0442\u043e\u0432\u0430.', /English/],
  ['  ', /empty/],
  ['x'.repeat(8_001), /at most 8000/],
];

for (const [words, problem] of unsound) {
  test(`refused: ${words.slice(0, 70)}`, () => {
    const problems = problemsOf(words, evidence());
    assert.ok(
      problems.some((each) => problem.test(each)),
      problems.join('\n') || 'nothing was found',
    );
  });
}

test('numbers are read with sign, percent and places, from any script of digits', () => {
  const read = (text: string) =>
    numbersIn(plainSigns(text)).map(({ value, isPercent, places }) => [value, isPercent, places]);
  assert.deepEqual(read('-1.50 % of 12,345 and \u22123'), [
    [-1.5, true, 2],
    [12_345, false, 0],
    [-3, false, 0],
  ]);
  assert.deepEqual(read('2021-2024, 5-10'), [
    [2021, false, 0],
    [2024, false, 0],
    [5, false, 0],
    [10, false, 0],
  ]);
  assert.deepEqual(read('\u0967\u0968 percent'), [[12, true, 0]]);
});
