import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { withWords } from '../../../../report/index.js';
import { assessSweep, runSweep, triedSweeps } from '../../../../research/sweep/index.js';
import report, { type ReportTask } from '../../../../service/experiments/report-task.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

/** The full types come only with the browser library. */
declare const WebAssembly: { Memory: new (...given: unknown[]) => object };

const home = temporaryFolder('report-task');
const [sampleDir, folder] = [join(root, 'sample'), join(home, 'sweep')];

/** Long enough for kernels, which compute beside a copy of the bars in the service. */
const config = crossSweep({
  datasets: [
    { asset: 'BTC', timeframe: '1h' },
    { asset: 'ETH', timeframe: '1h' },
  ],
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: { values: [5, 10] }, window_slow: { values: [20, 50] } })],
    filters: [filter('is_above_sma', { window: { values: [50, 100] } })],
  },
});
const outcome = await runSweep(sweepRequest(config, folder), {
  store: openBars({ home, sampleDir }),
  engineVersion: '0.0.0',
});
const task: ReportTask = {
  ...{
    kind: 'honesty',
    home,
    sampleDir,
    threads: 1,
    heldOut: [],
    config: { ...config },
    by: 'sharpe_ratio',
    minTrades: 30,
    folder,
    tried: {},
    triedSweeps: {},
  },
  ...{
    experimentId: 'exp_test',
    engineVersion: '0.0.0',
    total: outcome.total,
    done: outcome.done,
    planHash: outcome.planHash,
  },
};

let memories = 0;
const { Memory } = WebAssembly;
WebAssembly.Memory = new Proxy(Memory, {
  construct(target, given) {
    memories++;
    return Reflect.construct(target, given);
  },
});
after(() => {
  WebAssembly.Memory = Memory;
});

test('reports of the service take one memory for all series, and have the figures of the command line', async () => {
  const first = await report(task);
  const before = memories;
  assert.ok(before > 0, 'kernels compute in it');
  for (let k = 0; k < 2; k++) assert.deepEqual(await report(task), first);
  assert.equal(memories, before, 'no series has a memory of its own');
  const honesty = await assessSweep(outcome.prepared, folder, 'sharpe_ratio');
  assert.ok(honesty.length === 2);
  assert.deepEqual(first, {
    honesty: honesty.map(withWords),
    html: null,
    worth: triedSweeps(outcome.prepared, honesty),
  });
});
