import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PartFile } from '../data/corpus/index.js';
import { sqlText, withDuckDb } from '../data/duckdb.js';
import { joinFiles, openSweepFolder } from '../data/sweeps/index.js';
import { root } from '../test/support/tree.js';
import { crosses, often } from './sweep-plans.js';

const command = join(root, 'dist/bundle/barline.js');

/**
 * Writes the result rows of experiments, one file each, as the service joins them. All rows share
 * the settings of one real row, and their metrics are correlated: the quality of a run comes from
 * its experiment and luck; its return, win rate and drawdown follow from that quality and more
 * luck. One run in sixteen never trades.
 */
export async function writeCorpus(folder: string, experiments: number, rowsEach: number): Promise<PartFile[]> {
  const template = realRow(join(folder, 'template'));
  const parts: PartFile[] = [];
  for (let e = 0; e < experiments; e++) {
    const experimentId = `exp_2024${String(e).padStart(6, '0')}T000000000000Z`;
    const opened = openSweepFolder(join(folder, experimentId));
    mkdirSync(opened.path, { recursive: true });
    const path = opened.partPath(0, rowsEach);
    const rows = `SELECT t.* REPLACE (${replaced(experimentId, e)}) FROM ${runs(e, rowsEach)} r, (SELECT * FROM read_parquet(${sqlText(template)}) LIMIT 1) t`;
    const scattered = `${path}.scattered`;
    await withDuckDb((connection) =>
      connection.run(`COPY (${rows}) TO ${sqlText(scattered)} (FORMAT parquet, COMPRESSION uncompressed)`),
    );
    await joinFiles([scattered], path, { highest: 'sharpe_ratio' });
    rmSync(scattered);
    parts.push({ path, experimentId, rows: rowsEach });
  }
  return parts;
}

/** A row that the command wrote, with all its columns. */
function realRow(home: string): string {
  mkdirSync(home, { recursive: true });
  const plan = join(home, 'plan.json');
  writeFileSync(plan, JSON.stringify({ ...crosses('BTC', [often], 1, 1), grid_signals: { n_param_combos: 1 } }));
  const out = join(home, 'sweep');
  const { status, stderr } = spawnSync(process.execPath, [command, 'sweep', plan, '--out', out, '--json'], {
    env: { ...process.env, BARLINE_HOME: home },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const [part] = readdirSync(out).filter((name) => name.endsWith('.parquet'));
  return join(out, part!);
}

/** Luck of a run, uniform in [0, 1), the same in every run of the bench. */
const luck = (e: number, k: number, run = 'i'): string =>
  `(hash(${run} * 64 + ${k} + ${e}::BIGINT * 7919000000) / 18446744073709551616.0)`;
const normal = (e: number, k: number): string =>
  `(sqrt(-2 * ln(1 - ${luck(e, k)})) * cos(6.283185307179586 * ${luck(e, k + 1)}))`;

/** Runs by `i`, with their quality (`q`), two kinds of luck and their number of trades. */
const runs = (e: number, count: number): string =>
  `(SELECT range AS i, ${((e * 37) % 100) / 100 - 0.7} + 0.9 * ${normal(e, 1)} AS q, ${normal(e, 3)} AS n, ${normal(e, 5)} AS m,
    if(${luck(e, 7)} < 0.06, 0, (1 + 400 * pow(${luck(e, 8)}, 2))::BIGINT) AS trades FROM range(${count}))`;

const assets = ['BTC', 'ETH', 'BNB', 'SOL', 'XRP'];
const timeframes = ['5m', '15m', '1h', '4h', '1d'];

function replaced(experimentId: string, e: number): string {
  const [asset, timeframe] = [assets[e % 5]!, timeframes[(e >> 2) % 5]!];
  const traded = (value: string, otherwise = 'NULL'): string => `if(r.trades = 0, ${otherwise}, ${value})`;
  const columns: Readonly<Record<string, string>> = {
    experiment_id: sqlText(experimentId),
    run_index: 'r.i',
    config_hash: `lower(hex(hash(r.i + ${e}::BIGINT * 1000000)))`,
    asset: sqlText(asset),
    timeframe: sqlText(timeframe),
    strategy_name: `'exp_${asset}_${timeframe}_sma_cross_up_' || r.i`,
    entry_json: "replace(t.entry_json, '50', (r.i % 997)::VARCHAR)",
    status: "if(r.trades = 0, 'no_trades', 'ok')",
    total_trades: 'r.trades',
    sharpe_ratio: traded('r.q'),
    sortino_ratio: traded('1.35 * r.q + 0.2 * r.n'),
    calmar_ratio: traded('0.6 * r.q + 0.3 * r.m'),
    irr_annualized: traded('0.18 * r.q + 0.12 * r.n', '0'),
    total_return: traded('0.5 * r.q + 0.4 * r.m', '0'),
    net_pnl: '5000 * r.q + 4000 * r.m',
    ending_balance: '10000 + 5000 * r.q + 4000 * r.m',
    win_rate: traded('round(least(1, greatest(0, 0.38 + 0.06 * r.q + 0.05 * r.n)) * r.trades) / r.trades'),
    max_drawdown: traded('least(0.95, greatest(0.01, 0.45 - 0.09 * r.q + 0.1 * r.m))', '0'),
    profit_factor: traded('greatest(0, 1 + 0.25 * r.q + 0.1 * r.n)'),
    expectancy: '20 * r.q + 10 * r.m',
    total_fees: `1000 + 9000 * ${luck(e, 9, 'r.i')}`,
    exposure: `0.05 + 0.3 * ${luck(e, 10, 'r.i')}`,
    elapsed_seconds: `0.0001 * (1 + ${luck(e, 11, 'r.i')})`,
    completed_at: `make_timestamp_ms(1704067200000 + ${e}::BIGINT * 86400000 + (r.i // 200) * 40)`,
  };
  return Object.entries(columns)
    .map(([name, value]) => `${value} AS ${name}`)
    .join(', ');
}
