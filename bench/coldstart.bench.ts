// Asks: how long does a backtest over the bundled BTC year take from the start of the process to
// the printed result, and how long do 1,000,000 bars take from Parquet to shared columns? Needs
// `npm run build`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBars, writeBars } from '../data/bars/index.js';
import { HOUR_MS } from '../engine/series/index.js';
import { root } from '../test/support/tree.js';
import { medianMs, medianMsOf, type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';

const command = join(root, 'dist/bundle/barline.js');
const year = ['--start', '2024-01-01', '--end', '2024-12-31'];
const run1h = ['backtest', '--strategy', 'examples/btc-trend.json', '--asset', 'BTC', '--interval', '1h', ...year];

export async function run(sizes: Sizes): Promise<Timing[]> {
  const home = mkdtempSync(join(tmpdir(), 'barline-bench-'));
  try {
    return [coldCommand(home, sizes), await loading(home, sizes)];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function coldCommand(home: string, { isSmoke }: Sizes): Timing {
  const start = () => {
    const env = { ...process.env, BARLINE_HOME: home };
    const { status, stdout } = spawnSync(process.execPath, [command, ...run1h], { cwd: root, env, encoding: 'utf8' });
    assert.equal(status, 0);
    assert.match(stdout, /trades\s+\d+/);
  };
  return report('cold backtest, BTC 1h 2024', 8_784, medianMs(isSmoke ? 1 : 9, start));
}

async function loading(home: string, { isSmoke }: Sizes): Promise<Timing> {
  const bars = seededBars(isSmoke ? 2_000 : 1_000_000);
  const path = join(home, 'bars.parquet');
  await writeBars(path, bars);
  const store = openBars({ home });
  await store.import(path, { asset: 'BENCH' });
  const load = async () => {
    const loaded = await store.load({ asset: 'BENCH', intervalMs: HOUR_MS });
    assert.deepEqual(loaded.bars.close.subarray(-5), bars.close.subarray(-5));
    assert.equal(loaded.bars.barCount, bars.barCount);
  };
  return report('load Parquet to columns', bars.barCount, await medianMsOf(isSmoke ? 1 : 7, load));
}

function report(name: string, bars: number, p50Ms: number): Timing {
  console.log(`${name.padEnd(28)} ${String(bars).padStart(8)} bars ${p50Ms.toFixed(1).padStart(8)} ms`);
  return { name, bars, p50Ms, nsPerBar: (p50Ms * 1e6) / bars, yardsticks: p50Ms / yardstickMs(bars) };
}
