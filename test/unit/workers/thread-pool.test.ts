import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openBacktestPool, startThreads } from '../../../workers/index.js';
import { threadFlags } from '../../../workers/thread-pool.js';
import { modulePath, moduleUrl } from '../../support/tree.js';
import type { TurningTask } from '../../support/turning-task.js';

test('a thread with our options cannot require an ES module, and can import it', async () => {
  const script = `
    const { parentPort } = require('node:worker_threads');
    let code = null;
    try { require(${JSON.stringify(modulePath('engine/errors'))}); } catch (error) { code = error.code; }
    import(${JSON.stringify(moduleUrl('engine/errors').href)}).then(({ EngineError }) => parentPort.postMessage([code, EngineError.name]));`;
  const thread = new Worker(script, { eval: true, execArgv: threadFlags });
  const [message] = await once(thread, 'message');
  assert.deepEqual(message, ['ERR_REQUIRE_ESM', 'EngineError']);
});

/** The module counts the turns of its thread's event loop, also between tasks. */
const task = moduleUrl('test/support/turning-task');

const pools = {
  sweeps() {
    const threads = startThreads<TurningTask, unknown>({ threads: 1, task });
    return { run: (turns: Int32Array) => threads.run({ work: turns }), end: () => threads.end() };
  },
  backtests() {
    const pool = openBacktestPool({ threads: 1, task });
    return {
      run: (turns: Int32Array) => pool.compute({ turns, bars: { time: turns } } as never),
      end: () => pool.close(),
    };
  },
};
for (const [name, open] of Object.entries(pools)) {
  test(`an idle thread for ${name} waits in its event loop, where it notices that it is ended`, async () => {
    const turns = new Int32Array(new SharedArrayBuffer(4));
    const { run, end } = open();
    await run(turns);
    const before = Atomics.load(turns, 0);
    const deadline = performance.now() + 20_000;
    while (Atomics.load(turns, 0) < before + 3 && performance.now() < deadline) await setTimeout(5);
    await end();
    assert.ok(Atomics.load(turns, 0) >= before + 3, 'the event loop stood still');
  });
}
