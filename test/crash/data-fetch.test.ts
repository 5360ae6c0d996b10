import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openBars } from '../../data/bars/index.js';
import {
  type FetchSurroundings,
  fetchBars,
  type ProviderName,
  providers,
  type RetryRules,
} from '../../data/providers/index.js';
import { type BarSeries, sliceBars } from '../../engine/series/bars.js';
import { HOUR_MS } from '../../engine/series/intervals.js';
import { isoTime } from '../../engine/series/time.js';
import { jsonOf, runCli } from '../support/cli.js';
import { bytesOf, csvOf, fileOf, refuses, tempFolder } from '../support/data-fixtures.js';
import {
  type ExchangeFault,
  exchangeFaults,
  formats,
  providerFor,
  startExchange,
  type TestExchange,
} from '../support/exchange.js';
import { randomBars, seededRandom } from '../support/random.js';
import { soak } from '../support/scale.js';
import { commandArgs, root } from '../support/tree.js';

const PAGE = 20;
const bars = randomBars({ seed: 12, barCount: 5 * PAGE, gapChance: 0.02 });
const startMs = bars.time[0];
const endMs = bars.time[bars.barCount - 1] + HOUR_MS;
const retry: Partial<RetryRules> = { triesMax: 4 };

interface Tried extends Partial<FetchSurroundings> {
  readonly timeoutMs?: number;
}

async function fetchFrom(exchange: TestExchange, home: string, { timeoutMs = 1_000, ...surroundings }: Tried = {}) {
  const symbol = 'BTC/USDT';
  const provider = await providerFor(exchange, { symbol, timeoutMs });
  return fetchBars(
    provider,
    { asset: 'BTC', symbol, intervalMs: HOUR_MS, startMs },
    { home, now: () => endMs, random: seededRandom(3), sleep: async () => {}, retry, ...surroundings },
  );
}

const open = (t: TestContext, provider: ProviderName = 'ccxt') =>
  startExchange(t, { provider, bars, nowMs: endMs, pageMax: PAGE });
const stored = async (home: string): Promise<BarSeries> =>
  (await openBars({ home }).load({ asset: 'BTC', intervalMs: HOUR_MS })).bars;
const partsIn = async (home: string) =>
  (await readdir(join(home, 'fetch'))).filter((name) => name.endsWith('.part')).length;

/** After these faults the answer is still complete and needs no second try. */
const harmless: readonly ExchangeFault[] = ['unsorted page', 'doubled rows'];

const names = Object.keys(providers) as ProviderName[];
/** Outside of a soak every fault at the provider that was added last, and one at the others. */
const isTried = (provider: ProviderName, place: number): boolean => soak || provider === names.at(-1) || place === 0;
const passing = names.flatMap((provider) =>
  exchangeFaults.filter((_, i) => isTried(provider, i)).map((fault) => [provider, fault] as const),
);

for (const [provider, fault] of passing) {
  test(`${provider}: a fetch survives a passing fault: ${fault}`, async (t) => {
    const home = tempFolder(t);
    const exchange = await open(t, provider);
    const waits: number[] = [];
    // Twice, in the middle of the series, with a sound page between.
    exchange.settings = { ...exchange.settings, fault: (i) => (i === 1 || i === 3 ? fault : undefined) };
    const { retries, status } = await fetchFrom(exchange, home, { sleep: async (ms) => void waits.push(ms) });
    assert.deepEqual(bytesOf(await stored(home)), bytesOf(bars));
    assert.equal(status, 'added');
    assert.equal(retries, harmless.includes(fault) ? 0 : 2);
    assert.equal(waits.length, retries);
    for (const wait of waits) {
      const [least, most] = fault === 'rate limit' || fault === 'ban' ? [2_000, 2_500] : [500, 1_000];
      assert.ok(wait >= least && wait <= most, `waited ${wait} ms`);
    }
    assert.equal(await partsIn(home), 0);
  });
}

/** What follows the name of the exchange and the number of tries. */
const endings: Readonly<Partial<Record<ExchangeFault, RegExp>>> = {
  'rate limit': /HTTP 429$/,
  ban: /HTTP 418$/,
  'server error': /HTTP 500$/,
  reset: /no answer \(.+\)$/,
  truncated: /an answer of \d+ characters \(application\/json\) that is not JSON$/,
  silent: /no complete answer within 0\.1 s$/,
  stalled: /no complete answer within 0\.1 s$/,
  'repeated page': /\S+ BTC\/USDT: asked for bars from 2024-\S+Z, got none after 2024-\S+Z$/,
  html: /an answer of \d+ characters \(text\/html\) that is not JSON$/,
  'broken bar': /\S+ BTC\/USDT bar 2024-\S+Z: high must be >= max\(open, close\), was 1e-8 against/,
};

const lasting = names.flatMap((provider) =>
  (Object.entries(endings) as [ExchangeFault, RegExp][])
    .filter((_, i) => isTried(provider, i))
    .map(([fault, { source }]) => {
      const pattern = new RegExp(`^${formats[provider].exchange} failed 4 times, most recently: ${source}`);
      return { provider, fault, pattern };
    }),
);

for (const { provider, fault, pattern } of lasting) {
  test(`${provider}: a lasting fault ends in one clear line and changes nothing: ${fault}`, async (t) => {
    const home = tempFolder(t);
    await openBars({ home }).import(await fileOf(home, 'eth.csv', csvOf(bars)), { asset: 'ETH' });
    const catalogue = await readFile(join(home, 'bars/catalogue.json'));
    const files = await readdir(join(home, 'bars'));
    const exchange = await open(t, provider);
    exchange.settings = { ...exchange.settings, fault: (i) => (i >= 2 ? fault : undefined) };
    // A busy machine may answer late.
    const timeoutMs = fault === 'silent' || fault === 'stalled' ? 100 : 1_000;
    await refuses(fetchFrom(exchange, home, { timeoutMs }), 'INVALID_DATA', pattern);
    assert.equal(exchange.klines.length, 2 + 4, 'two pages, then four tries');
    assert.deepEqual(await readFile(join(home, 'bars/catalogue.json')), catalogue);
    assert.deepEqual(await readdir(join(home, 'bars')), files);

    exchange.settings = { ...exchange.settings, fault: () => undefined };
    const { resumedBars } = await fetchFrom(exchange, home);
    assert.equal(resumedBars, 2 * PAGE);
    assert.equal(exchange.klines[6].startTime, exchange.klines[2].startTime, 'it goes on where it stopped');
    assert.deepEqual(bytesOf(await stored(home)), bytesOf(bars));
  });
}

test('an exchange that asks for hours of patience ends the fetch at once', async (t) => {
  const exchange = await open(t);
  exchange.settings = { ...exchange.settings, fault: () => 'ban', retryAfterSeconds: 7_200 };
  await refuses(fetchFrom(exchange, tempFolder(t)), 'INVALID_DATA', /binance asks to wait 7200 s .*HTTP 418/);
  assert.equal(exchange.klines.length, 1);
});

test('stopping a fetch ends it at once, even while it waits for an answer', async (t) => {
  const home = tempFolder(t);
  const exchange = await open(t);
  const stop = new AbortController();
  exchange.settings = {
    ...exchange.settings,
    fault: (i) => {
      if (i === 2) setImmediate(() => stop.abort());
      return i === 2 ? 'silent' : undefined;
    },
  };
  await assert.rejects(fetchFrom(exchange, home, { signal: stop.signal, timeoutMs: 60_000 }), { name: 'AbortError' });
  assert.equal(await partsIn(home), 1);
});

test('of two fetches of the same bars the second is refused; the lock of a dead process does not block', async (t) => {
  const home = tempFolder(t);
  const exchange = await open(t);
  await mkdir(join(home, 'fetch'), { recursive: true });
  await writeFile(join(home, 'fetch/binance-BTC-1h.lock'), `999999999 - ${hostname()}\n`);
  const both = await Promise.allSettled([fetchFrom(exchange, home), fetchFrom(exchange, home)]);
  const refused = both.filter((outcome) => outcome.status === 'rejected');
  assert.equal(refused.length, 1);
  assert.match(String(refused[0].reason), /process \d+ is fetching the same bars/);
  assert.deepEqual(bytesOf(await stored(home)), bytesOf(bars));
  assert.deepEqual(await readdir(join(home, 'fetch')), []);
});

test('bars that another process stores meanwhile are not overwritten', async (t) => {
  const home = tempFolder(t);
  const exchange = await open(t);
  const other = await fileOf(home, 'other.csv', csvOf(sliceBars(bars, 3, 40)));
  let imported: Promise<unknown> | undefined;
  const onProgress = () => {
    imported ??= openBars({ home }).import(other, { asset: 'BTC' });
  };
  exchange.settings = { ...exchange.settings, fault: (i) => (i === 4 ? 'server error' : undefined) };
  const sleep = async () => void (await imported);
  await refuses(
    fetchFrom(exchange, home, { onProgress, sleep }),
    'CONFLICT',
    /another process changed the stored bars of BTC 1h meanwhile/,
  );
  assert.equal((await stored(home)).barCount, 37);
});

const longBars = randomBars({ seed: 13, barCount: 6 * PAGE });
const longEnd = isoTime(longBars.time[longBars.barCount - 1] + HOUR_MS);
const commandFor = (url: string) => [
  ...['data', 'fetch', '--exchange', 'binance', '--asset', 'btc', '--interval', '1h', '--base-url', url],
  ...['--start', isoTime(longBars.time[0]), '--end', longEnd],
];

/** A fetch by the command line in a process of its own. */
function startFetch(t: TestContext, url: string, home: string): ChildProcess {
  const args = commandArgs(...commandFor(url));
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_TEST_CONTEXT: '', BARLINE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

test('a fetch interrupted, then killed, goes on where it stopped, and the bars are the same', async (t) => {
  const home = tempFolder(t);
  const exchange = await startExchange(t, { bars: longBars, nowMs: Date.UTC(2030, 0, 1), pageMax: PAGE });
  /**
   * Ends a process at a request that the server leaves unanswered: by then the process has synced
   * the pages before.
   */
  const endAt = async (index: number, signal: NodeJS.Signals) => {
    const requests = new EventEmitter();
    const asked = once(requests, 'asked');
    exchange.settings = {
      ...exchange.settings,
      fault: (i) => {
        if (i === index) requests.emit('asked');
        return i === index ? 'silent' : undefined;
      },
    };
    const child = startFetch(t, exchange.url, home);
    const complaints = child.stderr!.toArray();
    const closed = once(child, 'close');
    const ended = closed.then(async () => assert.fail(`the fetch ended early: ${(await complaints).join('')}`));
    ended.catch(() => {}); // it does end, once it is told to
    await Promise.race([asked, ended]);
    child.kill(signal);
    const exit = await closed;
    assert.deepEqual(await openBars({ home }).list(), []);
    assert.equal(await partsIn(home), 1);
    return { exit, complaint: (await complaints).join('') };
  };
  assert.deepEqual(await endAt(2, 'SIGINT'), {
    exit: [130, null],
    complaint: 'barline: interrupted; run the same command again to continue\n',
  });
  assert.deepEqual(await endAt(4, 'SIGKILL'), { exit: [null, 'SIGKILL'], complaint: '' });

  exchange.settings = { ...exchange.settings, fault: () => undefined };
  const result = jsonOf(await runCli([...commandFor(exchange.url), '--json'], { home })) as Record<string, unknown>;
  assert.deepEqual(
    exchange.klines.map(({ startTime }) => startTime),
    // Only the pages in flight when a process ended are requested twice.
    [0, 1, 2, 2, 3, 3, 4, 5].map((page) => longBars.time[page * PAGE]),
  );
  assert.equal(result.resumedBars, 3 * PAGE);
  assert.deepEqual(bytesOf(await stored(home)), bytesOf(longBars));
  assert.deepEqual(await readdir(join(home, 'fetch')), []);
});
