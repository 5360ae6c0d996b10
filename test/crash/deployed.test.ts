import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import test from 'node:test';
import { readDeployedSet } from '../../service/deployed/definition.js';
import { deployedFile, portfolioSet } from '../support/deployed.js';
import { runs } from '../support/scale.js';
import { startTestService } from '../support/service.js';
import { openStream } from '../support/sse.js';

const set = readDeployedSet(portfolioSet);
const DAYS = 4;
const settings = { BARLINE_DEPLOYED: deployedFile(portfolioSet), BARLINE_REPLAY_DAYS: String(DAYS) };
const path = '/v1/oracle/deployed';

const READERS = runs(20, 200, 200);

test(`${READERS} readers get every event, and a service that stops ends their streams at once`, async () => {
  const service = await startTestService({ ...settings, BARLINE_REPLAY_MS: '100' });
  const agent = new Agent({ maxSockets: Infinity });
  try {
    const { token } = await service.login();
    const url = `${service.origin}/api${path}/stream?last_event_id=0`;
    const streams = await Promise.all(Array.from({ length: READERS }, () => openStream(url, token, { agent })));
    const read = await Promise.all(
      streams.map(async (stream) => {
        assert.equal((await stream.next()).event, 'ready');
        return [await stream.next(), await stream.next(), await stream.next()];
      }),
    );
    for (const events of read) {
      assert.deepEqual(events, read[0]);
      assert.deepEqual(
        events.map(({ id }) => id),
        ['1', '2', '3'],
      );
    }
    const [{ event, data }] = read[0]!;
    assert.equal(data.type, event);
    assert.ok(set.strategies.has(data.strategy_id));
    const watch = service.client.stream('Deployed.Stream', {}, { authorization: `Bearer ${token}`, deadlineMs: null });
    await watch.next();
    const ended = Promise.all([...streams.map((stream) => stream.ended()), rest(watch)]);
    await service.stop();
    await ended;
  } finally {
    agent.destroy();
  }
});

async function rest(parts: AsyncIterable<object>): Promise<void> {
  for await (const _ of parts);
}
