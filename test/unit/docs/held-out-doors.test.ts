import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  backtestAssets,
  loadBars,
  runBacktest,
  runPortfolio,
  runPortfolioSweep,
  runSweep,
  type Strategy,
  startLive,
} from '../../../library/index.js';
import { type Api, grpcApi, restApi } from '../../support/api.js';
import { riskFields } from '../../support/backtests.js';
import { assertRefused, runCliBatch } from '../../support/cli.js';
import { fileOf } from '../../support/data-fixtures.js';
import { deployedFile, livelyStrategy } from '../../support/deployed.js';
import { shortExperiment } from '../../support/experiments.js';
import { connect, refusedContent } from '../../support/mcp.js';
import { startTestService, type TestService } from '../../support/service.js';
import { newHome } from '../../support/state.js';
import { crossSweep, filter, trigger } from '../../support/sweeps.js';
import { root } from '../../support/tree.js';

/** Each door of the table, tried in one home whose last 90 days of BTC the command line holds out. */
const page = readFileSync(join(root, 'docs/sweeps.md'), 'utf8');
const table = /^\| door \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(page)?.[1] ?? '';
const doors = table.split('\n').flatMap((line) => line.split(' | ')[0]?.replace(/^\| /, '').trim() || []);

const rule = (name: string) =>
  ({ name, signal_type: 'TRIGGER', timeframe: '1d', params: { window_fast: 2, window_slow: 5 } }) as const;
const above = { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1d', params: { window: 4 } } as const;
const strategy = { name: 'x', asset: 'BTC', entry: [rule('sma_cross_up'), above], exit: [] } as unknown as Strategy;
const { asset: _, ...anyAsset } = { ...strategy, asset: '' };
const rotation = { allocation: { assets: ['BTC', 'ETH'], every: '1w', rank_by: 'roc(close, 30)', top: 1 } } as const;
const plan = (asset: string, more: object = {}) =>
  crossSweep({
    datasets: [{ asset, timeframe: '1d' }],
    entry_signals: {
      triggers: [trigger('sma_cross_up', { window_fast: { values: [2, 3] }, window_slow: { values: [5] } })],
      filters: [filter('is_above_sma', { window: { values: [4] } })],
    },
    ...more,
  });
const refused = { message: /are held out|holdout must be 90/ };
const says = ({ code, message }: { code: string; message: string | null }) => {
  assert.notEqual(code, 'OK');
  assert.match(String(message), /of BTC are held out/);
};

let home: string;
let file: string;
let recorded: string;
let service: TestService;
let rest: Api;
let grpc: Api;
let token: string;

before(async () => {
  home = await newHome();
  file = await fileOf(home, 'strategy.json', JSON.stringify(strategy));
  const [run] = await runCliBatch([['backtest', '--strategy', file, '--interval', '1d', '--json']], { home });
  recorded = (JSON.parse(run!.stdout) as { manifest: { run_id: string } }).manifest.run_id;
  await runSweep({ sweep: plan('BTC', { holdout: 90 }), home });
  const deployed = deployedFile({
    personas: [{ id: 'ann', name: 'Ann', strategies: [{ ...livelyStrategy, id: 'held' }] }],
  });
  service = await startTestService({ BARLINE_HOME: home, BARLINE_REPLAY_MS: '1', BARLINE_DEPLOYED: deployed });
  ({ token } = await service.login());
  [rest, grpc] = [restApi(service.origin, token), grpcApi(service.client, token)];
});
after(() => service.stop());

const plain = { strategy_json: JSON.stringify(strategy), asset: 'BTC', interval: '1d' };
const run = { ...riskFields, ...plain };
const dates = { start_date: '2025-01-01', end_date: '2025-09-18' };
const command = (...args: string[]) => [...args, '--strategy', file, '--interval', '1d'];

const tried: Readonly<Record<string, () => Promise<void>>> = {
  async '`backtest`, `audit`, `replay`, `compare`, `portfolio`; `runBacktest`, `backtestAssets`, `runPortfolio` and their audits'() {
    const portfolio = await fileOf(home, 'rotation.json', JSON.stringify(rotation));
    const ofPortfolio = ['portfolio', portfolio, '--interval', '1d'];
    const done = await runCliBatch(
      [
        command('backtest'),
        command('audit'),
        ['replay', recorded],
        ['compare', recorded, recorded],
        ofPortfolio,
        ['audit', '--portfolio', portfolio, '--interval', '1d'],
      ],
      { home },
    );
    for (const one of done) assertRefused(one, /of BTC are held out/);
    await assert.rejects(runBacktest({ strategy, interval: '1d', home }), refused);
    await assert.rejects(
      backtestAssets({ strategy: anyAsset as Strategy, assets: ['BTC'], interval: '1d', home }),
      refused,
    );
    await assert.rejects(runPortfolio({ portfolio: rotation, interval: '1d', home }), refused);
  },
  async '`sweep`; `runSweep`, `runPortfolioSweep`'() {
    const planFile = await fileOf(home, 'plan.json', JSON.stringify(plan('BTC')));
    const [one] = await runCliBatch([['sweep', planFile]], { home });
    assertRefused(one!, /holdout must be 90, was not given/);
    await assert.rejects(runSweep({ sweep: plan('BTC'), home }), refused);
    const axes = [{ param: 'allocation.top', values: [1, 2] }];
    await assert.rejects(
      runPortfolioSweep({ sweep: { portfolio: { ...rotation, interval: '1d' }, sweep_axes: axes }, home }),
      refused,
    );
  },
  async '`POST /backtests`, `/oracle/backtest` and bulk, `/oracle/simulate/run`, `POST /portfolios`, experiments, over REST, gRPC and MCP'() {
    for (const api of [rest, grpc]) {
      says(await api.call('Backtests.Run', { ...run, ...dates }));
      says(await api.call('Portfolios.Run', { portfolio: { ...rotation, interval: '1d' }, ...dates }));
    }
    const { body: batch, ...answer } = await rest.call('Batch.Run', { ...run, ...dates });
    says(answer.code === 'OK' ? { code: 'REFUSED', message: batch.error } : answer);
    const { body: bulk } = await rest.call('Batch.RunBulk', { ...dates, interval: '1d', strategy_configs: [strategy] });
    says({ code: 'REFUSED', message: JSON.stringify(bulk) });
    const { body: simulated, ...simulation } = await rest.call('Simulations.Run', {
      ...{ strategy_config: strategy, asset: 'BTC', timeframe: '1d' },
      ...dates,
    });
    says(simulation.code === 'OK' ? { code: 'REFUSED', message: simulated.error } : simulation);
    const experiment = await rest.call('Experiments.Create', { config: { ...shortExperiment('x'), ...plan('BTC') } });
    const { body: found } = await rest.call('Experiments.Validate', { experiment_id: experiment.body.experiment_id });
    assert.match(JSON.stringify(found.errors), /holdout must be 90, was not given: the days .* of BTC are held out/);
    const client = await connect('http', service, token);
    const { message } = refusedContent(
      await client.callTool({ name: 'backtests_run', arguments: { ...plain, ...dates } }),
    ) as { message: string };
    assert.match(message, /of BTC are held out/);
    await client.close();
  },
  async '`startLive`'() {
    const history = await loadBars({ asset: 'BTC', interval: '1d', end: '2025-08-31' });
    const next = { time: '2025-09-01', open: 1, high: 1, low: 1, close: 1, volume: 1 };
    const bot = startLive({ strategy, history, home });
    assert.throws(() => bot.step(next), { message: /^bar must not be of days that are held out, was of 2025-09-01/ });
    const renamed = startLive({ strategy, history: { ...history, asset: 'unnamed' }, home });
    assert.throws(() => renamed.step(next), refused);
    renamed.step({ ...next, time: '2025-09-19' });
  },
  async 'deployed strategies'() {
    const lastTick = async () => {
      const { body } = await rest.call('Deployed.ListStrategies');
      const listed = body.strategies as { strategy_id: string; last_tick_status: string | null }[];
      return listed.find(({ strategy_id }) => strategy_id === 'held')?.last_tick_status ?? null;
    };
    let said = await lastTick();
    for (; said === null; said = await lastTick()) await sleep(20); // until the runner has come to its first bar
    assert.match(said, /^bar must not be of days that are held out, was of 2025-0/);
  },
  async '`holdout open`; `open_holdout` over REST and gRPC, of portfolios over MCP too'() {
    // What the organization holds out, the command line obeys.
    const config = { ...shortExperiment('held'), ...plan('ETH', { holdout: 30 }) };
    const { body: made } = await rest.call('Experiments.Create', { config });
    const { experiment_id: id } = made;
    await rest.call('Experiments.Validate', { experiment_id: id });
    const launched = await rest.call('Experiments.Launch', { experiment_id: id });
    assert.equal(launched.code, 'OK', String(launched.message));
    for (let known = ''; !known.includes('ETH'); ) {
      const [list] = await runCliBatch([['holdout', 'list']], { home });
      known = list!.stdout;
    }
    const ether = [...command('backtest'), '--asset', 'ETH'];
    const [bitten] = await runCliBatch([ether], { home });
    assertRefused(bitten!, /of ETH are held out/);
    // Each is opened once, on either side.
    const open = { ...run, asset: 'ETH', open_holdout: true };
    assert.equal((await grpc.call('Backtests.Run', open)).code, 'OK');
    assert.match(String((await rest.call('Backtests.Run', open)).message), /can be opened once/);
    const [twice, free, opened] = await runCliBatch(
      [[...command('holdout', 'open'), '--asset', 'ETH'], ether, command('holdout', 'open')],
      { home },
    );
    assertRefused(twice!, /can be opened once/);
    for (const one of [free!, opened!]) assert.equal(one.code, 0, one.stderr);
    assert.match(
      String((await rest.call('Backtests.Run', { ...run, open_holdout: true })).message),
      /can be opened once/,
    );
    const client = await connect('http', service, token);
    const portfolio = { ...rotation, interval: '1d', allocation: { ...rotation.allocation, assets: ['ETH'] } };
    const reopened = await client.callTool({ name: 'portfolios_run', arguments: { portfolio, open_holdout: true } });
    assert.match((refusedContent(reopened) as { message: string }).message, /can be opened once/);
    await client.close();
  },
};

/** Doors that the table calls free: no code stands there. */
const free = ['paper accounts', '`simulate`', '`results`, `data`'];

test('the table of doors has a test for each of its rows, and no test is of another', () => {
  assert.deepEqual([...Object.keys(tried), ...free].sort(), [...doors].sort());
});

for (const [door, attempt] of Object.entries(tried)) test(`held-out days: ${door}`, attempt);
