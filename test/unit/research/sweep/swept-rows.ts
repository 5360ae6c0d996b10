import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openBars } from '../../../../data/bars/index.js';
import { queryResults } from '../../../../data/sweeps/index.js';
import { metricNames } from '../../../../engine/metrics/index.js';
import { runBacktest } from '../../../../research/backtest/index.js';
import { runSweep, type SweepOutcome } from '../../../../research/sweep/index.js';
import type { WindowRequest } from '../../../../research/window.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

export type Row = Readonly<Record<string, unknown>>;

export async function readRows(folder: string): Promise<{ columns: readonly string[]; records: Row[] }> {
  const { columns, rows } = await queryResults([folder], 'SELECT * FROM results ORDER BY run_index');
  return { columns, records: rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]]))) };
}

/** Sweeps over the bundled bars, in a home of their own. */
export function sweepsIn(name: string) {
  const home = temporaryFolder(name);
  const services = { store: openBars({ home, sampleDir: join(root, 'sample') }), engineVersion: '0.0.0-test' };

  async function sweepRows(sweepName: string, sweep: object, more: object = {}) {
    const folder = join(home, sweepName);
    const request = sweepRequest(sweep as Record<string, unknown>, folder);
    const outcome = await runSweep(request, { ...services, ...more });
    const { records } = await readRows(folder);
    for (const { status, error_msg } of records) assert.notEqual(status, 'error', String(error_msg));
    return { folder, outcome, records };
  }

  /** The backtest of a row has its metrics and, as a try, its identity. */
  async function requireAlone(record: Row, { prepared }: SweepOutcome, window: WindowRequest = {}) {
    const lists = ['entry', 'exit', 'short_entry', 'short_exit'].filter((list) => `${list}_json` in record);
    const rules = Object.fromEntries(lists.map((list) => [list, JSON.parse(String(record[`${list}_json`]))]));
    const strategy = { name: 'of a row', asset: record.asset, ...rules };
    const config = prepared.definition.variants.settings(prepared.plan.run(Number(record.run_index)).variant);
    const interval = String(record.timeframe);
    const { result, tried } = await runBacktest({ strategy, interval, window, config }, services);
    for (const name of metricNames.filter((one) => one in record)) {
      assert.equal(record[name], result.metrics[name], `${name} of run ${record.run_index}`);
    }
    assert.equal(tried?.identity ?? record.config_hash, record.config_hash, `identity of run ${record.run_index}`);
  }
  return { home, services, sweepRows, requireAlone };
}
