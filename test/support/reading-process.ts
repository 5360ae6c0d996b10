import { readBarsFile } from '../../data/bars/index.js';
import { readPlainParquet } from '../../data/bars/plain-parquet.js';
import { readSeries } from '../../data/columns/read-series.js';
import { EngineError } from '../../engine/errors.js';

/**
 * A process that reads one file and prints what came of it and the most memory that it took:
 * `reading-process.ts READER FILE`.
 */
const readers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  bars: (path) => readBarsFile(path),
  series: (path) => readSeries(path, { periodMs: 0, columns: new Map([['more', 'close']]) }),
  plain: (path) => readPlainParquet(path, ['timestamp', 'open', 'high', 'low', 'close', 'volume']),
};

const [reader = '', file = ''] = process.argv.slice(2);
let refusal: string | null = null;
try {
  await readers[reader]?.(file);
} catch (error) {
  refusal = error instanceof EngineError ? error.message : `no EngineError: ${String(error)}`;
}
process.stdout.write(JSON.stringify({ refusal, peakMb: process.resourceUsage().maxRSS / 1_024 }));
