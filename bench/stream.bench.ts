// Asks: how long after its bar is stored does an event of a deployed strategy reach the last of 200
// readers of server-sent events, and how long is the event loop of the service blocked meanwhile?

import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { deployedFile } from '../test/support/deployed.js';
import { root } from '../test/support/tree.js';
import { type Sizes, type Timing, yardstickMs } from './measure.js';
import { newBenchHome } from './service-under-load.js';

const READERS = 200;
/** Events before the code is warm: sent and checked, not timed. */
const WARM_UP = 50;
const path = (script: string): string => join(root, 'bench', script);

interface Seen {
  readonly last: number;
  readonly readers: number;
}

interface Told {
  readonly stored: Readonly<Record<string, number>>;
  readonly cpuMs: number;
  readonly keptMs: { readonly p50: number; readonly p99: number };
}

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const warmUp = isSmoke ? 0 : WARM_UP;
  const events = (isSmoke ? 5 : 300) + warmUp;
  const home = newBenchHome();
  const service = fork(path('stream-service.mjs'), {
    execArgv: [],
    env: {
      ...process.env,
      BARLINE_HOME: home,
      BARLINE_HTTP_PORT: '0',
      BARLINE_RPC_PORT: '0',
      BARLINE_DEPLOYED: deployedFile(),
      BARLINE_REPLAY_MS: '150',
      BARLINE_STREAMS_PER_CREDENTIAL: String(READERS),
    },
  });
  try {
    const { origin, key } = await heard<{ origin: string; key: string }>(service);
    const seen = await readAll(service, `${origin}/api/v1/oracle/deployed/stream`, key, events);
    service.send('tell');
    const { stored, keptMs, cpuMs } = await heard<Told>(service);
    const ids = Object.keys(seen);
    assert.equal(ids.length, events);
    assert.ok(
      ids.every((id) => seen[id].readers === READERS),
      'every reader had every event',
    );
    const waits = ids
      .sort((a, b) => Number(a) - Number(b))
      .slice(warmUp)
      .map((id) => seen[id].last - stored[id])
      .sort((a, b) => a - b);
    const at = (share: number): number => waits[Math.floor(waits.length * share)];
    console.log(
      `${waits.length} events to ${READERS} readers: p50 ${at(0.5).toFixed(1)}, p99 ${at(0.99).toFixed(1)}, max ${at(1 - 1e-9).toFixed(1)} ms`,
    );
    console.log(
      `event loop of the service: p50 ${keptMs.p50.toFixed(1)}, p99 ${keptMs.p99.toFixed(1)} ms; CPU ${(cpuMs / events).toFixed(1)} ms an event, of all threads`,
    );
    return [
      timing(`event to the last of ${READERS} readers, p50`, at(0.5)),
      timing(`event to the last of ${READERS} readers, p99`, at(0.99)),
    ];
  } finally {
    const ended = once(service, 'exit');
    service.send('stop');
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * When each event reached the last reader, by its id. The script fails when two readers are sent
 * different events.
 */
async function readAll(service: ChildProcess, url: string, key: string, events: number): Promise<Record<string, Seen>> {
  const readers = spawn(process.execPath, [path('stream-readers.mjs'), url, key, String(READERS), String(events)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: readers.stdout })) {
    if (line !== 'open') return JSON.parse(line) as Record<string, Seen>;
    service.send('measure');
  }
  throw new Error('the readers ended before they had everything');
}

const heard = async <T>(process: ChildProcess): Promise<T> => (await once(process, 'message'))[0] as T;

const timing = (name: string, p50Ms: number): Timing => ({
  name,
  bars: 1,
  p50Ms,
  nsPerBar: p50Ms * 1e6,
  yardsticks: p50Ms / yardstickMs(10_000),
});
