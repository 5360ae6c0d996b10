import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import test from 'node:test';
import { runs } from '../support/scale.js';
import { callService, succeed } from '../support/service-calls.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';

const WRITERS = 8;
/**
 * Acknowledged writes before each kill: from a few to more than the store makes between two of its
 * own checkpoints.
 */
const writesBefore = (kill: number): number => 5 + ((kill * 37) % 120);

const definition = {
  asset: 'BTC-USD',
  entry: [
    { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } },
  ],
};

/**
 * Writes from many connections until the process is killed meanwhile, and returns the acknowledged
 * writes.
 */
async function writeUntilKilled(service: ServiceProcess, key: string, kill: number): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  let killed: Promise<void> | null = null;
  const writer = async (w: number): Promise<void> => {
    for (let i = 0; ; i++) {
      const name = `kill ${kill} writer ${w} write ${i}`;
      const answer = await callService(service, key, 'POST', '/v1/strategies', { ...definition, name }).catch(
        () => null,
      );
      if (answer === null) return; // the process is gone, and the answer with it
      assert.equal(answer.status, 201);
      acknowledged.set(answer.body.strategy.id, name);
      if (acknowledged.size >= writesBefore(kill)) killed ??= service.kill();
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, w) => writer(w)));
  await killed;
  return acknowledged;
}

async function readAll(service: ServiceProcess, key: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (;;) {
    const page = await succeed(service, key, 'GET', `/v1/strategies?limit=1000&skip=${found.size}`);
    for (const { id, name } of page.strategies) found.set(id, name);
    if (page.strategies.length === 0) return found;
  }
}

test('after any number of kills during writes, the store opens again with every acknowledged write', async () => {
  const home = await newHome();
  let service = await startServiceProcess(home);
  try {
    const key = service.firstKey;
    assert.ok(key !== null, 'the first start makes a key');
    const acknowledged = new Map<string, string>();
    for (let kill = 0; kill < runs(1, 50); kill++) {
      for (const [id, name] of await writeUntilKilled(service, key, kill)) acknowledged.set(id, name);
      service = await startServiceProcess(home);
      assert.equal(service.firstKey, null, 'the key was made once');
      const found = await readAll(service, key);
      const lost = [...acknowledged].filter(([id, name]) => found.get(id) !== name);
      assert.deepEqual(lost, []);
      // A write whose answer was lost may be there or not; each writer had at most one.
      assert.ok(found.size - acknowledged.size <= WRITERS * (kill + 1));
      const [id, name] = [...acknowledged].at(-1)!;
      const { strategy } = await succeed(service, key, 'GET', `/v1/strategies/${id}`);
      assert.deepEqual([strategy.name, strategy.rules.entry], [name, definition.entry]);
    }
    assert.equal(await service.terminate(), 0);
  } finally {
    await service.kill();
    await rm(home, { recursive: true, force: true });
  }
});
