import { tableFromIPC } from '@uwdata/flechette';
import { EngineError } from '../../engine/errors.js';
import { type AllocateColumns, allocateBars, type BarSeries, priceColumns } from '../../engine/series/index.js';

/** The column of open times, epoch ms. */
const TIME = 'timestamp';

/**
 * The bars of an Arrow stream as the service sends it: open times, prices and volume, and further
 * columns of doubles, null where there is no value.
 * @throws EngineError INVALID_DATA for a stream without one of them
 */
export function decodeBars(ipc: ArrayBuffer, intervalMs: number, allocate: AllocateColumns): BarSeries {
  const table = tableFromIPC(ipc, { useDate: false });
  const names = table.names.filter((name) => name !== TIME && !(priceColumns as readonly string[]).includes(name));
  const bars = allocateBars(table.numRows, intervalMs, names, allocate);
  fill(bars.time, TIME);
  for (const name of priceColumns) fill(bars[name], name);
  for (const name of names) fill(bars.columns[name] ?? new Float64Array(), name);
  return bars;

  function fill(into: Float64Array, name: string): void {
    const column = table.getChild(name);
    if (column === null || column === undefined)
      throw new EngineError('INVALID_DATA', `the bars have no column ${name}`);
    let at = 0;
    for (const batch of column.data) {
      const { values, nullCount } = batch;
      if (nullCount === 0 && values instanceof Float64Array) into.set(values.subarray(0, batch.length), at);
      else for (let i = 0; i < batch.length; i++) into[at + i] = Number(batch.at(i) ?? Number.NaN);
      at += batch.length;
    }
  }
}
