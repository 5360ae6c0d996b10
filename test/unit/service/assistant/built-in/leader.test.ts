import assert from 'node:assert/strict';
import test from 'node:test';
import { MIN_TRADES } from '../../../../../engine/index.js';
import { sentences } from '../../../../../service/assistant/built-in/sentences/say.js';
import { verdictIn } from '../../../../../service/assistant/built-in/verdict-words.js';
import { talk } from '../../../../support/assistant.js';
import { backtestDeps } from '../../../../support/backtest-deps.js';

const openings = [
  'BTC daily trend since 2022',
  'ETH daily momentum since 2021',
  'BTC 4h dips since 2023',
  'ETH 4h breakouts since 2023',
  'BTC daily breakouts since 2020',
  'ETH daily: buy when RSI(14) crosses above 40, since 2021',
];

test('the leader is the best among those that the sentence counts, in every language', async () => {
  const deps = await backtestDeps();
  const seen = new Set<string>();
  for (const opening of openings) {
    const { last } = await talk([opening, 'yes', 'yes', 'run it'], deps, { userId: opening });
    const { tested } = last.working;
    assert.ok(tested !== null, opening);
    if (tested.best === null) continue;
    const all = tested.candidates.map(({ figures }, place) => ({ place, ...figures }));
    const traded = all.filter(({ trade_count }) => trade_count > 0);
    const eligible = traded.filter(({ trade_count }) => trade_count >= MIN_TRADES);
    const among = eligible.length > 0 ? eligible : traded;
    const most = Math.max(...among.map(({ sharpe_ratio }) => sharpe_ratio ?? Number.NEGATIVE_INFINITY));
    const leader = all[tested.best];
    assert.ok(leader && among.includes(leader), `${opening}: candidate ${tested.best + 1} is none of those counted`);
    assert.equal(leader.sharpe_ratio ?? Number.NEGATIVE_INFINITY, most, opening);
    const isPart = eligible.length > 0 && eligible.length < traded.length;
    const counted = isPart
      ? `the ${eligible.length} with at least ${MIN_TRADES} trades among ${traded.length} tries`
      : `${traded.length} tries that traded`;
    assert.ok(
      last.content.includes(`Candidate ${tested.best + 1} has the highest Sharpe ratio of ${counted}`),
      last.content,
    );
    for (const language of ['de', 'es', 'fr'] as const) {
      const words = verdictIn(language, tested);
      const sentence = sentences[language].triesEligible
        .replace('{eligible}', String(eligible.length))
        .replace('{least}', String(MIN_TRADES))
        .replace('{count}', String(traded.length));
      assert.equal(words.includes(sentence), isPart, words);
    }
    seen.add(isPart ? 'some' : eligible.length === 0 ? 'none' : 'all');
  }
  assert.ok(seen.size > 1, [...seen].join());
});
