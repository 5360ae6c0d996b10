import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { restApi } from '../support/api.js';
import { coinGeckoAnswers, SECRET_KEY } from '../support/asset-servers.js';
import { MANAGEMENT_KEY } from '../support/service.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';
import { startUpstream } from '../support/upstream-server.js';

const management = { managementKey: MANAGEMENT_KEY };

test('an update of all assets that a kill interrupts goes on after the restart, and evaluates no asset again', async (t) => {
  const answer = coinGeckoAnswers(Date.now());
  const never = new Promise<never>(() => {});
  const provider = await startUpstream(t, (request) => (request.path === '/coins/ethereum' ? never : answer(request)));
  const profilesAsked = (coin: string) => provider.requests.filter(({ path }) => path === `/coins/${coin}`).length;
  const home = await newHome();
  const settings = {
    BARLINE_MANAGEMENT_KEY: MANAGEMENT_KEY,
    BARLINE_COINGECKO_KEY: SECRET_KEY,
    BARLINE_COINGECKO_URL: provider.url,
  };
  let service: ServiceProcess = await startServiceProcess(home, settings);
  try {
    const key = service.firstKey ?? '';
    const requestUpdate = async () => {
      const { body } = await restApi(service.origin, key).call('CryptoAssets.UpdateAll', {}, management);
      return body;
    };
    const listed = async (): Promise<readonly Record<string, unknown>[]> =>
      (await restApi(service.origin, key).call('CryptoAssets.ListAll')).body.assets;

    let update = (await requestUpdate()).results;
    const id: string = update.update_id;
    for (; update.done < 1; update = (await requestUpdate()).results) await sleep(20);
    assert.deepEqual([update.update_id, update.status, update.done, update.total], [id, 'running', 1, 2]);
    await service.kill();
    assert.equal(profilesAsked('bitcoin'), 1);

    provider.answer = answer;
    service = await startServiceProcess(home, settings);
    const [bitcoin] = await listed();
    assert.equal(bitcoin?.symbol, 'BTC', 'what was done before the kill is stored');
    while ((await listed()).length < 2) await sleep(20);
    assert.equal(profilesAsked('bitcoin'), 1);

    let reply = await requestUpdate(); // once the update is done, this starts the next one
    for (; reply.results.update_id === id; reply = await requestUpdate()) await sleep(20);
    const { update_id, status, done, failures } = reply.previous;
    assert.deepEqual([update_id, status, done, failures], [id, 'completed', 2, []]);
    assert.equal(await service.terminate(), 0);
  } finally {
    await service.kill();
    await rm(home, { recursive: true, force: true });
  }
});
