import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { threadFlags } from '../../../workers/thread-flags.js';
import { modulePath, moduleUrl } from '../../support/tree.js';

test('a thread with our flags cannot require an ES module, and can import it', async () => {
  const script = `
    const { parentPort } = require('node:worker_threads');
    let code = null;
    try { require(${JSON.stringify(modulePath('engine/errors'))}); } catch (error) { code = error.code; }
    import(${JSON.stringify(moduleUrl('engine/errors').href)}).then(({ EngineError }) => parentPort.postMessage([code, EngineError.name]));`;
  const thread = new Worker(script, { eval: true, execArgv: [...threadFlags] });
  const [message] = await once(thread, 'message');
  assert.deepEqual(message, ['ERR_REQUIRE_ESM', 'EngineError']);
});
