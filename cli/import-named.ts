import { basename } from 'node:path';
import type { BarStore, ImportedBars, ImportOptions, NamedFile } from '../data/bars/index.js';
import { EngineError } from '../engine/errors.js';
import { count, headedTable, note, plural, print, printJson } from './output.js';
import { progress } from './progress.js';

const EXIT_INTERRUPTED = 130;
/** Series with something to know about them that the summary lists. */
const REMARKS_MAX = 20;

interface Failure {
  readonly file: string;
  readonly asset: string;
  readonly error: string;
}

/**
 * Imports files one after the other, each as a series of its own. A series is stored whole or not at
 * all, and one that cannot be stored holds up no other; an interrupt waits for the series at hand.
 */
export async function importNamed(
  files: readonly NamedFile[],
  choice: Omit<ImportOptions, 'asset'>,
  store: BarStore,
  isJson: boolean,
): Promise<void> {
  const imported: (ImportedBars & { readonly file: string })[] = [];
  const failed: Failure[] = [];
  const stop = stopOnInterrupt();
  const bar = progress(files.length, 'series');
  try {
    for (const { path, asset, intervalMs } of files) {
      if (stop.isAsked()) break;
      const file = basename(path);
      try {
        const options = { ...choice, asset, ...(intervalMs !== undefined && { intervalMs }) };
        imported.push({ file, ...(await store.import([path], options)) });
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        failed.push({ file, asset, error: error.message });
      }
      bar.step();
      await new Promise(setImmediate); // lets a signal through
    }
  } finally {
    bar.stop();
    stop.release();
  }
  const left = files.length - imported.length - failed.length;
  if (isJson) printJson({ imported, failed, left });
  else for (const line of importedLines(imported, failed)) print(line);
  if (left > 0) {
    note(`stopped: ${plural(left, 'file')} left; the same command goes on with them`);
    process.exitCode = EXIT_INTERRUPTED;
    return;
  }
  if (failed.length === 0) return;
  const [first] = failed as [Failure];
  const others = failed.length === 1 ? '' : ` (and ${failed.length - 1} more)`;
  throw new EngineError('INVALID_DATA', `not imported: ${first.file}: ${first.error}${others}`);
}

function importedLines(imported: readonly ImportedBars[], failed: readonly Failure[]): string[] {
  const by = (status: ImportedBars['status']): number => imported.filter((one) => one.status === status).length;
  const statuses = (['added', 'extended', 'replaced', 'unchanged'] as const)
    .filter((status) => by(status) > 0)
    .map((status) => `${count(by(status))} ${status}`);
  const bars = imported.reduce((sum, { entry }) => sum + entry.bars, 0);
  const lines = [`${count(imported.length)} series: ${statuses.join(', ') || 'none imported'}`];
  if (imported.length > 0) lines[0] += `; ${plural(bars, 'bar')}, ${spanText(imported)}`;
  const remarks = imported.flatMap(remarkRows);
  if (remarks.length > 0) {
    const header = ['series', 'missing', 'left out', 'no volume', 'off grid', 'notes'];
    lines.push(
      ...headedTable([header, ...remarks.slice(0, REMARKS_MAX)], ['left', 'right', 'right', 'right', 'right']),
    );
    if (remarks.length > REMARKS_MAX) {
      lines.push(`and ${count(remarks.length - REMARKS_MAX)} more series with something to know; --json lists all`);
    }
  }
  for (const { file, error } of failed.slice(0, REMARKS_MAX)) lines.push(`failed ${file}: ${error}`);
  if (failed.length > REMARKS_MAX)
    lines.push(`and ${count(failed.length - REMARKS_MAX)} more failed; --json lists all`);
  return lines;
}

function spanText(imported: readonly ImportedBars[]): string {
  const firsts = imported.map(({ entry }) => entry.firstTime).sort();
  const lasts = imported.map(({ entry }) => entry.lastTime).sort();
  const intervals = [...new Set(imported.map(({ entry }) => entry.interval))];
  return `${intervals.join(', ')}, ${firsts[0]} to ${lasts.at(-1)}`;
}

/** What to know about a series; nothing where its bars are as they should be. */
function remarkRows({ entry, leftOut, offGridBars, notes, ignoredColumns }: ImportedBars): string[][] {
  const { gaps, zeroVolumeBars } = entry;
  const left = leftOut.emptyRows + leftOut.repeatedRows;
  const ignored = ignoredColumns.filter(Boolean);
  const texts = [...notes, ...(ignored.length === 0 ? [] : [`columns not read: ${ignored.join(', ')}`])];
  const figures = [gaps.missingBars, left, zeroVolumeBars, offGridBars];
  if (figures.every((one) => one === 0) && texts.length === 0) return [];
  return [[`${entry.asset} ${entry.interval}`, ...figures.map(count), texts.join('; ')]];
}

/** The first Ctrl-C waits for the series at hand; the second ends at once. */
function stopOnInterrupt() {
  let isAsked = false;
  const interrupt = () => {
    if (isAsked) process.exit(EXIT_INTERRUPTED);
    isAsked = true;
    note('stopping once this series is stored; press Ctrl-C again to stop at once');
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return {
    isAsked: () => isAsked,
    release() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    },
  };
}
