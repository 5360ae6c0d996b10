// Asks: how long does a data query with three filters and a sort take over 10,000,000 result rows,
// does a late page take longer than the first, and how much faster is the query than one plain
// statement with the same meaning?
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CorpusReader, QueryEngine, TextWidths } from '../data/corpus/index.js';
import { Corpus } from '../service/corpus/corpus.js';
import type { CorpusQueryRequest } from '../service/corpus/request.js';
import { callerOf } from '../test/support/corpus.js';
import { writeCorpus } from './corpus-rows.js';
import { medianMsOf, medianOf, type Sizes, type Timing, yardstickMs } from './measure.js';

const query: CorpusQueryRequest = {
  table: 'results',
  select: ['experiment_id', 'run_index', 'asset', 'timeframe', 'sharpe_ratio', 'irr_annualized', 'max_drawdown'],
  filters: [
    { col: 'irr_annualized', op: '>=', value: 20 },
    { col: 'total_trades', op: '>=', value: 30 },
    { col: 'max_drawdown', op: '<=', value: 40 },
  ],
  order_by: [{ col: 'sharpe_ratio', dir: 'desc' }],
};

/** The same query as one statement, with its values written into it. */
const plain = (order: string): string =>
  `SELECT experiment_id, run_index::DOUBLE, asset, timeframe, sharpe_ratio, irr_annualized * 100, max_drawdown * 100
   FROM read_parquet($1) WHERE irr_annualized * 100 >= 20 AND total_trades >= 30 AND max_drawdown * 100 <= 40
   ORDER BY ${order} NULLS LAST, experiment_id, run_index LIMIT 101`;

/** The order that the files are sorted by, one that correlates with it, and one that does not. */
const orders = ['sharpe_ratio', 'sortino_ratio', 'total_fees'];

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const folder = mkdtempSync(join(tmpdir(), 'barline-bench-corpus-'));
  const [experiments, rowsEach, rounds, pages] = isSmoke ? [4, 3_000, 2, 3] : [200, 50_000, 15, 60];
  const engine = new QueryEngine({ folders: [folder], memoryMb: 1_024, threads: 2, timeoutMs: 60_000 });
  try {
    const parts = await writeCorpus(folder, experiments, rowsEach);
    const rows = experiments * rowsEach;
    const corpus = new Corpus({
      listParts: async () => parts,
      listBars: async () => [],
      hasExperiment: async () => true,
      engine,
      reader: new CorpusReader(isSmoke ? { largeRowsMin: 1, zonedRowsMin: 1 } : {}),
      widths: new TextWidths(),
      secret: 'bench',
      bytesMax: 1_073_741_824,
    });
    const caller = callerOf('bench');
    const timing = (name: string, p50Ms: number, ratio?: number): Timing => ({
      name,
      bars: rows,
      p50Ms,
      nsPerBar: (p50Ms * 1e6) / rows,
      yardsticks: p50Ms / yardstickMs(10_000),
      ...(ratio === undefined ? {} : { ratio }),
    });
    const timings: Timing[] = [];
    for (const col of orders) {
      const ask = () => corpus.query(caller, { ...query, order_by: [{ col }] });
      const statement = {
        sql: plain(`${col} DESC`),
        parameters: [{ type: 'texts' as const, value: parts.map(({ path }) => path) }],
      };
      const peerAnswer = () => engine.turn('bench', (turn) => turn.select(statement));
      const startMs = performance.now();
      const { rows: found } = await ask();
      const firstMs = performance.now() - startMs;
      const reference = await peerAnswer();
      assert.equal(found.length, 100);
      assert.deepEqual(
        found.map((row) => Object.values(row)),
        found.map((_, i) => reference.map((column) => column[i])),
        `rows by ${col}`,
      );
      const [ours, theirs]: number[][] = [[], []];
      for (let round = 0; round < rounds; round++) {
        ours!.push(await medianMsOf(1, async () => void (await ask())));
        if (round % 3 === 0) theirs!.push(await medianMsOf(1, async () => void (await peerAnswer())));
      }
      const [p50, peer] = [medianOf(ours!), medianOf(theirs!)];
      console.log(
        `by ${col}: ${p50.toFixed(0)} ms, plain statement ${peer.toFixed(0)} ms, first time ${firstMs.toFixed(0)} ms`,
      );
      timings.push(timing(`data query by ${col}`, p50, peer / p50));
    }
    const times: number[] = [];
    for (let token: string | null = null; times.length < pages; ) {
      const startMs = performance.now();
      const page = await corpus.query(caller, token === null ? query : { ...query, page_token: token });
      times.push(performance.now() - startMs);
      token = page.next_page_token;
      assert.ok(token !== null);
    }
    const tenth = Math.ceil(pages / 6);
    const [first, last] = [medianOf(times.slice(0, tenth)), medianOf(times.slice(-tenth))];
    console.log(
      `pages 1 to ${tenth}: ${first.toFixed(0)} ms each, the last ${tenth} of ${pages}: ${last.toFixed(0)} ms`,
    );
    return [...timings, timing(`data query, page ${pages}`, last)];
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
