import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { fullSoak, soak } from '../support/scale.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';
import { probeLive } from './live-probe.js';

/** What one caller may send or ask for, and how long everyone else then waits. */

const LIVE_EVERY_MS = 20;
/** Most work of the main thread between a question and its answer. */
const AHEAD_MS_MAX = fullSoak ? 250 : 1_000;
const AT_ONCE = soak ? 16 : 4;
const BODY_BYTES = 4 * 1024 * 1024;

/** Outside of a soak one attack of each kind is enough. */
const inSoak = (isOneOfMany: boolean) => ({ skip: isOneOfMany && !soak ? 'in the soak' : false });

/** In the full soak the machine is taken to be quiet. */
const aheadMsLimit = (): number => AHEAD_MS_MAX + (fullSoak ? 0 : 4 * usualMs);

let service: ServiceProcess;

/** What small requests put ahead of `/live` on this machine as busy as it is now. */
let usualMs = 0;

before(async () => {
  service = await startServiceProcess(await newHome());
  const small = () => atOnce(20, () => send('/api/v1/strategies', '{}', {}));
  await small(); // compiles the code on the way
  usualMs = (await observed('20 small requests', small)).aheadMsMax;
});
after(async () => {
  await service.kill();
});

const callers = () => ({ Authorization: `Bearer ${service.firstKey}` });

async function probed<T>(attack: () => Promise<T>) {
  const probe = probeLive(service.origin, { pid: service.pid, everyMs: LIVE_EVERY_MS });
  await probe.isReady;
  const answer = await attack();
  await delay(100);
  return { answer, ...(await probe.stop()) };
}
const residentMb = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

interface Observed {
  readonly statuses: readonly number[];
  readonly aheadMsMax: number;
}

/** Runs an attack while `/live` is asked, and says what happened. */
async function observed(name: string, attack: () => Promise<readonly number[]>): Promise<Observed> {
  const beforeMb = residentMb();
  let topMb = beforeMb;
  const timer = setInterval(() => {
    topMb = Math.max(topMb, residentMb());
  }, LIVE_EVERY_MS);
  const startMs = performance.now();
  const { answer: statuses, maxMs: waitMsMax, aheadMsMax, answers } = await probed(attack);
  const tookMs = performance.now() - startMs;
  clearInterval(timer);
  const counts = [...new Set(statuses)].map((code) => `${statuses.filter((one) => one === code).length} x ${code}`);
  const memory = `+${(topMb - beforeMb).toFixed(0)} MB over ${beforeMb.toFixed(0)}`;
  console.log(
    `${name}: /live after ${aheadMsMax.toFixed(0)} ms of work and ${waitMsMax.toFixed(0)} ms in all at most, of ${answers}; ${counts.join(', ')} in ${tookMs.toFixed(0)} ms, ${memory}`,
  );
  assert.ok(!statuses.includes(500), `${name}: a failure of the server`);
  return { statuses, aheadMsMax };
}

/** Sends a body and reads the answer without keeping it. */
const send = (path: string, body: string | Uint8Array, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sending = request(`${service.origin}${path}`, { method: 'POST', agent: false, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    sending.once('error', reject);
    sending.end(body);
  });

const atOnce = (count: number, sendOne: (i: number) => Promise<number>): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => sendOne(i)));

/** Some 4 KB that unpack to as many empty lists as a body has room for. */
const bomb = gzipSync(`{"name":[${'[],'.repeat((BODY_BYTES - 100) / 3)}[]]}`, { level: 9 });

for (const path of ['/api/v1/strategies', '/kb/api/compute', '/mcp']) {
  test(`compressed bodies without a credential do not stop the others: ${path}`, inSoak(path !== '/mcp'), async () => {
    const { aheadMsMax } = await observed(`20 bombs to ${path}`, () =>
      atOnce(20, () => send(path, bomb, { 'Content-Encoding': 'gzip' })),
    );
    assert.ok(aheadMsMax < aheadMsLimit());
  });
}

test('a caller without access is refused before it has sent its body', async () => {
  for (const headers of [{ 'Content-Length': BODY_BYTES }, { 'Content-Encoding': 'gzip', 'Content-Length': 200 }]) {
    const asking = request(`${service.origin}/api/v1/strategies`, { method: 'POST', agent: false, headers });
    asking.flushHeaders();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    assert.equal(answer.statusCode, 401);
    asking.destroy();
  }
});

const column = (from: number) => Array.from({ length: 20_000 }, (_, i) => from + (i % 700) / 7);
const columns = (count: number) => {
  const rounded = (from: number) => column(from).map((value) => Number(value.toPrecision(7)));
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, rounded(i)]));
};
const bars = Array.from({ length: 20_000 }, (_, i) => {
  const close = 100 + (i % 97) / 7;
  return { timestamp: 1_700_000_000_000 + i * 60_000, open: close, high: close + 1, low: close - 1, close, volume: i };
});
const window = { symbol: 'BTC', chart_timeframe: '1h', start_date: '2017-09-01', end_date: '2024-06-01' };

/** The largest requests that are allowed, by name: path, body, whether a credential is sent. */
const largest: Readonly<Record<string, readonly [string, unknown, boolean]>> = {
  'bodies of empty lists': [
    '/api/v1/strategies',
    { name: 'x', entry: Array.from({ length: 1_390_000 }, () => []) },
    true,
  ],
  compute: [
    '/kb/api/compute',
    { name: 'BBANDS', data: { ...columns(15), close: column(100) }, params: { window: 2_000 } },
    false,
  ],
  evaluate: ['/kb/api/evaluate', { name: 'rsi_oversold', ohlcv: bars, params: { window: 14 } }, false],
  'signals/evaluate': ['/api/v1/signals/evaluate', { name: 'rsi_oversold', market_data: bars }, true],
  'evaluate-multiple-series': [
    '/api/v1/signals/evaluate-multiple-series',
    { ...window, signals: ['rsi_oversold', 'is_above_sma'].map((name) => ({ name })) },
    true,
  ],
  'simulate/run': [
    '/api/v1/oracle/simulate/run',
    {
      asset: 'BTC',
      timeframe: '1h',
      strategy_config: {
        name: 'often',
        asset: 'BTC',
        entry: [{ name: 'is_above_sma', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 2 } }],
        exit: [{ name: 'is_below_sma', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 2 } }],
        reward_factor: 1,
      },
    },
    true,
  ],
};

for (const [name, [path, body, isKnown]] of Object.entries(largest)) {
  test(`the largest requests do not stop the others: ${name}`, inSoak(name !== 'evaluate'), async () => {
    const text = JSON.stringify(body);
    const { aheadMsMax } = await observed(`${AT_ONCE} x ${name} of ${text.length} bytes`, () =>
      atOnce(AT_ONCE, () => send(path, text, isKnown ? callers() : {})),
    );
    assert.ok(aheadMsMax < aheadMsLimit());
  });
}
