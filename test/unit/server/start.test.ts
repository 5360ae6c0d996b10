import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test from 'node:test';
import { createObserver } from '../../../server/observe.js';
import { needsFirstKey } from '../../../server/operator-key.js';
import { serviceParts, startService } from '../../../server/start.js';
import { readServiceConfig } from '../../../service/settings/config.js';
import { openState } from '../../../service/state/index.js';
import { newHome } from '../../support/state.js';
import { root } from '../../support/tree.js';

test('a first start that finds its port taken makes no key, because its output would be lost', async () => {
  const home = await newHome();
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const config = readServiceConfig({ BARLINE_HOME: home, BARLINE_HTTP_PORT: String(port), BARLINE_RPC_PORT: '0' });
  const observer = createObserver('silent', 'test');
  const starting = startService({ config, version: 'test', packageRoot: root, observer, parts: serviceParts });
  await assert.rejects(starting, { code: 'EADDRINUSE' });
  other.close();
  const state = await openState({ home });
  assert.equal(await needsFirstKey(state, config), true);
  await state.close();
});
