import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { auditPortfolio, type PortfolioRequest, runPortfolio } from '../../../../research/portfolio/index.js';
import { simulateParts } from '../../../../research/portfolio/simulate.js';
import { root } from '../../../support/tree.js';

const services = {
  store: openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') }),
  engineVersion: '0.0.0-test',
};
const example = (name: string) => JSON.parse(readFileSync(join(root, 'examples', name), 'utf8'));
const trend = example('daily-trend.json');
const majors = example('portfolio-three-majors.json');
const members = { ...majors, members: majors.members.map((member: object) => ({ ...member, strategy: trend })) };
const rotation = example('rotation.json');
const window = { start: '2023-01-01', end: '2024-12-31' };
const options = { cutCount: 6, seed: 3 };
const audit = (portfolio: object, more: Partial<PortfolioRequest> = {}, simulate = simulateParts) =>
  auditPortfolio({ portfolio, window, ...more }, options, { ...services, simulate });
const run = async (portfolio: object, more: Partial<PortfolioRequest> = {}) =>
  (await runPortfolio({ portfolio, window, ...more }, services)).result;

const ofMembers = await audit(members);
const ofRotation = await audit(rotation);
const changeOf = ({ what_if }: typeof ofMembers, change: string) =>
  what_if.find((one) => one.change === change) ?? assert.fail(change);

test('the engine reads no future, at any cut, and members are audited as strategies', () => {
  for (const { is_clean, findings, cuts, times } of [ofMembers, ofRotation]) {
    assert.deepEqual([is_clean, findings, times], [true, [], 731]);
    assert.ok(cuts >= 4 && cuts <= 6, `${cuts}`);
  }
  assert.deepEqual(
    ofMembers.members.map(({ asset, report }) => [asset, report.is_clean, report.cuts]),
    [
      ['BTC', true, 6],
      ['ETH', true, 6],
      ['SOL', true, 6],
    ],
  );
  assert.deepEqual(ofRotation.members, []);
});

test('the same seed cuts and draws the same', async () => {
  assert.deepEqual(await audit(rotation), ofRotation);
});

test('a simulation that reads its future is found, by its values and by its trades', async () => {
  const values = await audit(rotation, {}, (...args) => {
    const simulation = simulateParts(...args);
    const last = simulation.timeline.times.length;
    return { ...simulation, equity: simulation.equity.map((value, i) => (i < 100 ? value : value + last)) };
  });
  assert.equal(values.is_clean, false);
  assert.deepEqual(
    values.findings.map(({ kind, what, time }) => [kind, what, time]),
    [['look-ahead', 'account value', '2023-04-11T00:00:00Z']],
  );
  const trades = await audit(rotation, {}, (...args) => {
    const simulation = simulateParts(...args);
    const drops = simulation.timeline.times.length % 2;
    return { ...simulation, trades: simulation.trades.slice(drops) };
  });
  assert.deepEqual(
    trades.findings.map(({ what }) => what),
    ['trades'],
  );
});

test('what the result hangs on are runs of other portfolios', async () => {
  const [first] = ofMembers.what_if;
  const whole = await run(members);
  assert.deepEqual([first?.change, first?.total_return], ['as it is', whole.metrics.total_return]);
  assert.equal(first?.market_return, whole.metrics.benchmark_asset_return);
  const { fee_pct, slippage_pct } = (await run(rotation)).execution_config;
  const dear = await run(rotation, { config: { fee_pct: fee_pct * 2, slippage_pct: slippage_pct * 2 } });
  assert.equal(changeOf(ofRotation, 'costs twice').total_return, dear.metrics.total_return);
  const rest = await run({ ...members, members: members.members.filter((_: object, m: number) => m !== 1) });
  assert.equal(changeOf(ofMembers, 'without members[1] ETH').total_return, rest.metrics.total_return);
  const halfway = '2024-01-01T00:00:00Z';
  const late = await run(rotation, { window: { ...window, start: halfway } });
  assert.equal(changeOf(ofRotation, `from ${halfway} on`).total_return, late.metrics.total_return);
  assert.notEqual(changeOf(ofRotation, 'signals one bar later').total_return, ofRotation.what_if[0]?.total_return);
});

test('fixed weights lose the weight of the asset that is left out', async () => {
  const fixed = (assets: readonly string[], weights: readonly number[]) => ({
    interval: '1d',
    allocation: { assets, every: '1q', weighting: 'fixed', weights },
  });
  const report = await audit(fixed(['BTC', 'ETH', 'SOL'], [1, 2, 3]));
  const rest = await run(fixed(['BTC', 'SOL'], [1, 3]));
  assert.equal(changeOf(report, 'without allocation.assets[1] ETH').total_return, rest.metrics.total_return);
  assert.equal(report.chance, null, 'nothing decides when to trade');
  assert.ok(report.what_if.every(({ change }) => change !== 'signals one bar later'));
});

test('signals at other times tell what chance gives', () => {
  for (const { chance, what_if } of [ofMembers, ofRotation]) {
    assert.ok(chance !== null && what_if[0] !== undefined);
    const { draws, as_good, luck_p, median_return } = chance;
    assert.deepEqual([draws, luck_p], [199, (1 + as_good) / 200]);
    assert.equal(median_return > what_if[0].total_return, as_good > 99);
  }
});

test('months back and a single member', async () => {
  const [only] = members.members;
  const single = await auditPortfolio(
    { portfolio: { ...members, members: [only] }, window: { lookbackMonths: 12 } },
    options,
    services,
  );
  assert.ok(single.is_clean && single.times >= 365);
  assert.ok(single.what_if.every(({ change }) => !change.startsWith('without')));
});
