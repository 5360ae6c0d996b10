import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { runBody } from '../support/backtests.js';
import { startTestService, type TestService } from '../support/service.js';
import { goldenPath } from '../support/tree.js';

/**
 * What existing clients send, and the answers byte for byte: strategies that are long and paid in
 * full answer as they did before the service knew sides, margin and orders. Only ids, times of the
 * clock and durations are left out. `BARLINE_RECORD=1` records the answers anew, after a change
 * that is meant.
 */
const path = goldenPath('answers/long-only.json');

let service: TestService | null = null;
after(() => service?.stop());

const definitionExample = {
  name: 'dip in an uptrend',
  asset: 'BTC',
  entry: [
    { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 14, threshold: 30 } },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '4h', params: { window: 50 } },
  ],
  exit: [{ name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 14, threshold: 70 } }],
  reward_factor: 3,
};

/** Ids and keys of answers, by the order in which they came. */
class Names {
  readonly #known = new Map<string, string>();

  hide(text: string): string {
    return text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        const name = this.#known.get(id) ?? `(id ${this.#known.size})`;
        this.#known.set(id, name);
        return name;
      })
      .replaceAll(/"(created_at|completed_at|updated_at)":"[^"]+"/g, '"$1":"(time)"')
      .replaceAll(/"(\w*_seconds|execution_time)":[\d.e-]+/g, '"$1":0');
  }
}

const { strategy_json, ...risk } = runBody;
const dip = JSON.parse(strategy_json) as Record<string, unknown>;
const quarter = { start_date: '2023-01-01', end_date: '2023-03-31' };
const short = { asset: 'BTC', interval: '1d', ...quarter };
const costs = { fee_pct: 0.001, slippage_pct: 0.0005, max_hold_bars: 20, unheard_of: 1 };
const daily = definitionExample.entry.map((rule) => ({ ...rule, timeframe: '1D' }));

/** The calls in order; a function makes one of the answers before. */
type Answers = Readonly<Record<string, Record<string, unknown>>>;
type Call = readonly [name: string, verb: string, path: string | ((known: Answers) => string), body?: object];

const idIn = (answer: Record<string, unknown> | undefined, ...keys: string[]): string =>
  String(keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], answer));

const calls: readonly Call[] = [
  ['run', 'POST', '/api/v1/backtests', { ...risk, ...quarter, strategy_json, execution_config: costs }],
  ['read', 'GET', ({ run }) => `/api/v1/backtests/${idIn(run, 'backtest_id')}`],
  ['trades', 'GET', ({ run }) => `/api/v1/backtests/${idIn(run, 'backtest_id')}/trades`],
  ['state', 'GET', ({ run }) => `/api/v2/backtests/${idIn(run, 'backtest_id')}/status`],
  ['manifest', 'GET', ({ run }) => `/api/v1/backtests/${idIn(run, 'backtest_id')}/manifest`],
  ['replay', 'POST', ({ run }) => `/api/v1/backtests/${idIn(run, 'backtest_id')}/replay`],
  ['audit', 'GET', ({ run }) => `/api/v1/backtests/${idIn(run, 'backtest_id')}/audit?cuts=3`],
  ['quick', 'POST', '/api/v1/backtests', { ...risk, ...quarter, strategy_json, mode: 'quick' }],
  ['oracle', 'POST', '/api/v1/oracle/backtest', { ...short, strategy_json, execution_config: costs }],
  ['bulk', 'POST', '/api/v1/backtests/bulk', { ...risk, ...quarter, strategy_configs: [dip, { entry: 1 }] }],
  ['oracle bulk', 'POST', '/api/v1/oracle/backtest/bulk', { ...short, strategy_configs: [dip] }],
  [
    'simulated',
    'POST',
    '/api/v1/oracle/simulate/run',
    { strategy_config: dip, asset: 'BTC', timeframe: '1d', ...quarter },
  ],
  ['create', 'POST', '/api/v1/strategies', { ...definitionExample, entry: daily, execution_config: costs }],
  ['stored', 'GET', ({ create }) => `/api/v1/strategies/${idIn(create, 'strategy', 'id')}`],
  ['update', 'PUT', ({ create }) => `/api/v1/strategies/${idIn(create, 'strategy', 'id')}`, { exit: [] }],
  ['mine', 'GET', '/api/v1/users/me/strategies'],
  ['evaluate', 'POST', ({ create }) => `/api/v1/execution/evaluate/${idIn(create, 'strategy', 'id')}`, {}],
  ['inline', 'POST', '/api/v1/execution/evaluate', { strategy: { ...dip, name: 'inline' } }],
  ['positions', 'GET', '/api/v1/execution/positions'],
  ['history', 'GET', '/api/v1/users/me/backtests?limit=2'],
  ['defaults', 'GET', '/api/v1/config/trading-defaults'],
  ['execution defaults', 'GET', '/api/v1/config/execution-defaults'],
  ['missing', 'POST', '/api/v1/backtests', { strategy_json }],
];

test('long strategies that are paid in full answer byte for byte as before', async () => {
  service = await startTestService();
  const { token } = await service.login();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const known: Record<string, Record<string, unknown>> = {};
  const names = new Names();
  const answers: Record<string, string> = {};
  for (const [name, method, to, body] of calls) {
    const url = `${service.origin}${typeof to === 'string' ? to : to(known)}`;
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(url, init);
    const text = await response.text();
    known[name] = JSON.parse(text) as Record<string, unknown>;
    const { correlation_id: _, ...rest } = known[name];
    answers[name] = `${response.status} ${names.hide(response.ok ? text : JSON.stringify(rest))}`;
  }
  if (process.env.BARLINE_RECORD === '1') writeFileSync(path, `${JSON.stringify(answers, null, 1)}\n`);
  const recorded = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  for (const [name, answer] of Object.entries(answers)) assert.equal(answer, recorded[name], name);
  assert.deepEqual(Object.keys(recorded), Object.keys(answers));
});
