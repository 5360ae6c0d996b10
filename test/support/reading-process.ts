import { readPlainParquet } from '../../data/bars/chunks.js';
import { readBarsFile } from '../../data/bars/index.js';
import { readSeries } from '../../data/columns/read-series.js';
import { EngineError } from '../../engine/errors.js';

/**
 * A process that reads files and prints what came of each and the most memory that it had taken by
 * then: `reading-process.ts READER FILE…`.
 */
const readers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  bars: (path) => readBarsFile(path),
  series: (path) => readSeries(path, { periodMs: 0, columns: new Map([['more', 'close']]) }),
  plain: (path) => readPlainParquet(path, ['timestamp', 'open', 'high', 'low', 'close', 'volume']),
};

const [reader = '', ...files] = process.argv.slice(2);
const answers = [];
for (const file of files) {
  let refusal: string | null = null;
  try {
    await readers[reader]?.(file);
  } catch (error) {
    refusal = error instanceof EngineError ? error.message : `no EngineError: ${String(error)}`;
  }
  answers.push({ refusal, peakMb: process.resourceUsage().maxRSS / 1_024 });
}
process.stdout.write(JSON.stringify(answers));
