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
});
