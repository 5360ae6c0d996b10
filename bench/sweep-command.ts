import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { queryResults } from '../data/sweeps/index.js';
import { root } from '../test/support/tree.js';

export const command = join(root, 'dist/bundle/barline.js');

export interface Done {
  readonly folder: string;
  /** From the start of the process to its end, loading of bars and honesty figures included. */
  readonly ms: number;
  /** As the command prints it: from the plan to the last stored row. */
  readonly perSecond: number;
}

/** Runs `barline sweep` on a plan. */
export function sweep(home: string, planFile: string, threads: number): Done {
  const folder = mkdtempSync(join(home, 'sweep-'));
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [command, 'sweep', planFile, '--out', folder, '--workers', String(threads)],
    { env: { ...process.env, BARLINE_HOME: home }, encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  const ms = performance.now() - start;
  const [, rate] = /^([\d,]+) runs\/s/m.exec(stdout) ?? [];
  assert.ok(rate !== undefined, stdout);
  return { folder, ms, perSecond: Number(rate.replaceAll(',', '')) };
}

export const rowsOf = async (folder: string) => {
  const columns = 'run_index, config_hash, status, total_trades, sharpe_ratio, ending_balance, max_drawdown';
  return (await queryResults([folder], `SELECT ${columns} FROM results ORDER BY run_index`)).rows;
};
