import assert from 'node:assert/strict';
import test from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { runBody } from '../../support/backtests.js';
import { sharedService } from '../../support/contract.js';
import type { TestService } from '../../support/service.js';

let service: TestService;
test.before(async () => {
  service = await sharedService();
});

async function ran() {
  const { token } = await service.login();
  const authorization = `Bearer ${token}`;
  const { body } = await service.client.call('Backtests.Run', runBody, { authorization });
  return { authorization, body };
}

async function read(id: string, table: string | undefined, authorization: string): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const { arrow } of service.client.stream('Backtests.ReadColumns', { id, table }, { authorization })) {
    pieces.push(arrow);
  }
  return pieces;
}

test('the tables of a run come as Arrow streams and hold what the run answered', async () => {
  const { authorization, body } = await ran();
  const { trade_history: history } = body;
  const trades = tableFromIPC(Buffer.concat(await read(body.backtest_id, 'trades', authorization)));
  assert.equal(trades.numRows, body.trade_count);
  assert.deepEqual(
    Array.from(trades.getChild('profit_loss') ?? []),
    history.map(({ profit_loss }) => profit_loss),
  );
  assert.deepEqual(
    Array.from(trades.getChild('entry_timestamp') ?? [], Number),
    history.map(({ entry_timestamp }) => Date.parse(entry_timestamp)),
  );
  const equity = tableFromIPC(Buffer.concat(await read(body.backtest_id, undefined, authorization)));
  const values = Array.from(equity.getChild('account_value') ?? []);
  assert.equal(values.at(-1), (body.metrics as { final_balance: number }).final_balance);
  const bars = tableFromIPC(Buffer.concat(await read(body.backtest_id, 'bars', authorization)));
  assert.equal(bars.numRows, equity.numRows);
  assert.equal(Number(bars.getChild('timestamp')?.get(0)), Date.parse(body.start_date as string));
});

test('a long table comes in parts, and a reader may leave after the first', async () => {
  const { authorization } = await ran();
  const hourly = { ...runBody, interval: '1h', start_date: '2022-01-01', end_date: '2025-01-01' };
  const { body } = await service.client.call('Backtests.Run', hourly, { authorization });
  const pieces = await read(body.backtest_id, 'bars', authorization);
  assert.ok(pieces.length > 4);
  assert.ok(pieces.every(({ length }) => length <= 256 * 1024));
  for await (const { arrow } of service.client.stream(
    'Backtests.ReadColumns',
    { id: body.backtest_id },
    { authorization },
  )) {
    assert.ok((arrow as Buffer).length > 0);
    break;
  }
  const again = await read(body.backtest_id, 'equity', authorization);
  assert.ok(again.length > 0, 'the service still answers');
});

test("an unknown table, an unknown run and another user's run are refused", async () => {
  const [{ body, authorization }, { authorization: stranger }] = [await ran(), await ran()];
  const id = body.backtest_id;
  await assert.rejects(read(id, 'everything', authorization), { code: 'VALIDATION_ERROR' });
  for (const [of, by] of [
    ['00000000-0000-4000-8000-000000000000', authorization],
    [id, stranger],
  ] as const) {
    await assert.rejects(read(of, 'trades', by), { code: 'RESOURCE_NOT_FOUND' });
  }
});
