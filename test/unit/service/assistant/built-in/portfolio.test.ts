import assert from 'node:assert/strict';
import test from 'node:test';
import { runPortfolio } from '../../../../../research/portfolio/index.js';
import { merged } from '../../../../../service/assistant/built-in/change.js';
import { readMessage } from '../../../../../service/assistant/built-in/read-message.js';
import { freshWorking, toolsFor, type Working } from '../../../../../service/assistant/index.js';
import { endlessTokens, portfoliosOver, type Talk, talk } from '../../../../support/assistant.js';
import { backtestDeps } from '../../../../support/backtest-deps.js';
import { bundledMarket, bundledStore, callerOf } from '../../../../support/backtests.js';

const assets = [
  ...['BTC', 'ETH', 'SOL', 'BNB', 'XRP'].map((symbol) => ({ symbol, names: [] as string[], isHeld: true })),
  { symbol: 'DOGE', names: ['dogecoin'], isHeld: false },
];
const read = (text: string, known: Working['collected'] = freshWorking.collected) => readMessage(text, known, assets);
/** What is known after messages: the assets of the account, or the only one. */
const after = (...texts: readonly string[]): readonly string[] | string | null => {
  const { portfolio, asset } = texts.reduce(
    (known, text) => merged(known, read(text, known).change),
    freshWorking.collected,
  );
  return portfolio.length > 0 ? portfolio : asset;
};
const majors = ['BTC', 'ETH', 'SOL'];
const all = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP'];

test('a wish for one account over several assets names them, in four languages', () => {
  const wishes: readonly (readonly [string, readonly string[]])[] = [
    ['split it over the three majors', majors],
    ['spread it across BTC, ETH and SOL', majors],
    ['run it on all coins', all],
    ['make it a portfolio of BTC and ETH', ['BTC', 'ETH']],
    ['one account over SOL and XRP', ['SOL', 'XRP']],
    ['as a portfolio', majors],
    ['spread over BTC and XRP', ['BTC', 'XRP']],
    ['verteil es auf die drei größten Coins', majors],
    ['ein Konto über BTC und BNB', ['BTC', 'BNB']],
    ['auf allen Coins bitte', all],
    ['repártelo entre las tres principales', majors],
    ['una cartera de ETH y SOL', ['ETH', 'SOL']],
    ['en todas las monedas', all],
    ['répartis-le sur les trois principaux', majors],
    ['un portefeuille de BTC et XRP', ['BTC', 'XRP']],
    ['sur toutes les cryptos', all],
  ];
  for (const [text, expected] of wishes) {
    const { refused, notUnderstood, change } = read(text);
    assert.deepEqual([refused, notUnderstood, change], [[], [], { portfolio: expected }], text);
  }
});

test('what is no such wish changes no account', () => {
  for (const text of [
    'a portfolio of 25000',
    'my portfolio is 10k',
    'buy when the spread between the 20 and 50 EMA widens',
    'BTC daily RSI below 30',
    'which coin did best?',
    'what would all coins do?',
    'not as a portfolio',
  ])
    assert.deepEqual([read(text).refused, read(text).change.portfolio], [[], undefined], text);
});

test('assets join an account and leave it, and one alone ends it', () => {
  const two = 'a portfolio of BTC and ETH';
  assert.deepEqual(after(two, 'add SOL and BNB'), ['BTC', 'ETH', 'SOL', 'BNB']);
  assert.deepEqual(after(two, 'risk 2 %'), ['BTC', 'ETH']);
  assert.deepEqual(after(two, 'rather SOL and XRP'), ['SOL', 'XRP']);
  assert.deepEqual(after('split it over the three majors', 'without ETH'), ['BTC', 'SOL']);
  assert.deepEqual(after('verteil es auf BTC, ETH und SOL', 'ohne BTC'), ['ETH', 'SOL']);
  assert.equal(after(two, 'without BTC'), 'ETH');
  assert.equal(after(two, 'only SOL'), 'SOL');
  assert.equal(after(two, 'not as a portfolio, just ETH'), 'ETH');
  assert.equal(after(two, 'not as a portfolio'), 'BTC');
  assert.deepEqual(after('BTC daily golden cross', 'split it over ETH too'), ['BTC', 'ETH']);
});

test('an asset without bars is refused by name, and nothing else of the message acts', () => {
  const { refused, change } = read('a portfolio of BTC and dogecoin');
  assert.match(refused.join(), /no bars of DOGE here/);
  assert.deepEqual(change, {});
});

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const agreeing = ['go on', 'go on', 'go on'];
const testedOf = ({ last }: Talk) => {
  assert.ok(last.working.tested !== null);
  return last.working.tested;
};

test('the account that is run is the portfolio of these rules, and answers speak of its assets', async () => {
  const deps = await backtestDeps();
  const opening =
    'Buy on daily bars when the 20 day SMA crosses above the 50 day SMA, 20000 account, 2 candidates, split it over the three majors';
  const ran = await talk([opening, ...agreeing, 'which coin did best?', 'worst trade?', 'how do I save it?'], deps);
  const { candidates, assets: traded, market_return } = testedOf(ran);
  assert.deepEqual(traded, majors);
  for (const { config, figures, record } of candidates) {
    const { name, asset: _, execution_config, ...rules } = config;
    const members = majors.map((asset) => ({ strategy: { name, ...rules }, asset, weight: 1 / 3 }));
    const { start_date: start, end_date: end } = figures;
    const { result } = await runPortfolio(
      { portfolio: { name, execution_config, members }, interval: '1d', window: { start, end } },
      { store: bundledStore, engineVersion: '0.0.0-test' },
    );
    const { metrics, trade_count } = result;
    assert.deepEqual(
      [figures.total_return, figures.sharpe_ratio, figures.max_drawdown, figures.trade_count],
      [metrics.total_return, metrics.sharpe_ratio, metrics.max_drawdown, trade_count],
    );
    assert.deepEqual(
      record?.members,
      result.members.map(({ asset, trades, profit }) => ({ asset, trades, profit })),
    );
    assert.ok(Math.abs(sum((record?.members ?? []).map(({ profit }) => profit)) - (record?.profit ?? 0)) < 1e-6);
    assert.equal(record?.initial, 20_000);
  }
  const said = ran.steps.map(({ content }) => content);
  assert.match(said[3] ?? '', /^I ran: one account split equally over BTC, ETH and SOL, 1d bars/);
  assert.match(said[3] ?? '', new RegExp(`BTC, ETH and SOL evenly returned ${(100 * market_return).toFixed(1)} %`));
  const best = testedOf(ran).candidates[testedOf(ran).best ?? 0];
  const leader = [...(best?.record?.members ?? [])].sort((a, b) => b.profit - a.profit)[0];
  assert.match(said[4] ?? '', new RegExp(`by asset: ${leader?.asset} `));
  assert.match(said[5] ?? '', new RegExp(`on ${best?.record?.worst?.asset} made`));
  assert.match(said[6] ?? '', new RegExp(`GET /portfolios/${best?.figures.backtest_id}`));
});

test('an account joins and leaves after a run, each time compared with before', async () => {
  const deps = await backtestDeps();
  const opening = 'BTC daily, buy when RSI(14) crosses above 30, sell when it crosses above 70';
  const { steps } = await talk([opening, ...agreeing, 'split it over BTC and ETH', 'just ETH'], deps);
  const [split, alone] = steps.slice(-2).map(({ content }) => content);
  assert.match(split ?? '', /^I ran it again: one account split equally over BTC and ETH/);
  assert.match(split ?? '', /Compared with before:\n- before \(BTC, /);
  assert.match(alone ?? '', /^I ran it again: ETH, 1d bars/);
  assert.doesNotMatch(alone ?? '', /by asset/);
});

test('an asset that lacks the bars is named before anything runs', async () => {
  const { last } = await talk(['4h golden cross split over the three majors, BTC'], await backtestDeps());
  const { last: majorsOnly } = await talk(['4h golden cross, split it over the three majors'], await backtestDeps());
  assert.match(majorsOnly.content, /^SOL cannot run on 4h bars: no 4h bars of SOL/);
  assert.equal(last.working.tested, null);
});

test('without a fill on any asset, the answer says so', async () => {
  const rules = 'buy on daily bars when RSI(14) crosses above 99';
  const { last } = await talk(
    [`${rules}, split it over BTC and ETH`, ...agreeing, 'why no trades?'],
    await backtestDeps(),
  );
  assert.match(last.content, /No entry was filled on any of the assets/);
});

test('a portfolio that was counted and not stored before a crash counts once, and needs the right to run', async () => {
  const counted: string[] = [];
  const deps = await backtestDeps({ admit: async (_, runs, key) => void counted.push(`${runs} ${key}`) });
  const portfolios = await portfoliosOver(deps);
  const parts = { bars: bundledStore, market: bundledMarket, backtests: deps, portfolios, tokens: endlessTokens };
  const rule = { name: 'rsi_cross_up', signal_type: 'TRIGGER' as const, timeframe: '1d', params: { threshold: 40 } };
  const config = { name: 'dips', asset: 'BTC', entry: [rule], exit: [], reward_factor: 2, execution_config: {} };
  const { signal } = new AbortController();
  const run = (scopes: readonly string[] = []) =>
    toolsFor({ ...callerOf('saver'), scopes }, parts, 'turn', signal).runPortfolio(config, ['BTC', 'ETH'], '1d', {
      lookback_months: 12,
    });
  const [first, again] = [await run(), await run()];
  assert.deepEqual(again.figures, first.figures);
  assert.deepEqual(counted, [`2 ${first.figures.backtest_id}`]);
  await assert.rejects(run(['assistant:chat']), /scope/);
  await portfolios.close();
});
