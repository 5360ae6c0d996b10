import assert from 'node:assert/strict';
import test from 'node:test';
import { runBody } from '../../support/backtests.js';
import { type StrictService, strictService } from '../../support/contract.js';

let service: StrictService;
let token: string;
test.before(async () => {
  service = await strictService();
  ({ token } = await service.login());
});

async function send(method: string, path: string, body?: object): Promise<number> {
  const response = await fetch(`${service.origin}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

const logged = (message: string, field: string) =>
  service.lines.filter(({ msg }) => msg === message).map((line) => line[field]);

/** A line may be written after the client has read the answer. */
async function soon(check: () => void): Promise<void> {
  for (const until = Date.now() + 5_000; ; await new Promise((done) => setTimeout(done, 10))) {
    try {
      return check();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

const ID = '00000000-0000-4000-8000-000000000000';

test('a deprecated route is logged once, its canonical one is not', async () => {
  for (const id of [ID, ID.replace('8', '9'), ID]) {
    assert.equal(await send('GET', `/backtesting/backtest/${id}`), 404);
    assert.equal(await send('GET', `/backtests/${id}`), 404);
  }
  await send('GET', `/backtesting/backtest/${ID}/trades`);
  const routes = ['/api/v1/backtesting/backtest/:id', '/api/v1/backtesting/backtest/:id/trades'];
  await soon(() => assert.deepEqual(logged('deprecated route', 'route'), routes));
});

test('a deprecated key is logged once, at any depth; a null one counts as absent', async () => {
  const { cooldown_bars, daily_momentum_limit, weekly_momentum_limit, ...modern } = runBody;
  await send('POST', '/backtests', { ...modern, cooldown_config: {}, max_hold_time_hours: null });
  assert.deepEqual(logged('deprecated key', 'key'), []);
  const definition = JSON.parse(modern.strategy_json);
  const withKey = JSON.stringify({ ...definition, execution_config: { daily_momentum_limit: 2 } });
  for (let i = 0; i < 2; i++) {
    await send('POST', '/backtests', { ...modern, cooldown_bars: 5 });
    await send('POST', '/backtests', { ...modern, strategy_json: withKey });
    await send('POST', '/backtests', { ...modern, execution_config: { max_hold_time_hours: 5, cooldown_bars: 7 } });
  }
  await soon(() =>
    assert.deepEqual(logged('deprecated key', 'key'), ['cooldown_bars', 'daily_momentum_limit', 'max_hold_time_hours']),
  );
  const [first] = service.lines.filter(({ msg }) => msg === 'deprecated key');
  assert.deepEqual([first?.level, first?.rpc], [40, 'Backtests.Run']);
});
