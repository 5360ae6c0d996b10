import { DAY_MS } from '../../engine/series/index.js';
import { readRecordedSeries } from '../recordings/index.js';
import type { PublishedRows } from './series.js';

/** Gives columns beside bars: recorded ones, or those of a provider behind one of the ports. */
export interface ColumnSource {
  /** How commands and records name it. */
  readonly name: string;
  /** Free text, stored with its columns. */
  readonly licence?: string;
  /** The columns that it has for an asset. */
  columnsOf(asset: string): readonly string[];
  /**
   * What was published at or after `fromMs` and before `toMs`, revisions included. A value is
   * stamped with the time from which it was known, never with the start of its period.
   */
  fetch(asset: string, column: string, fromMs: number, toMs: number): Promise<PublishedRows>;
}

interface SourceOptions {
  /** The bundled data. */
  readonly sampleDir: string;
}

/** Every source, by name; the first one that has a column gives it. */
export const columnSources: Readonly<Record<string, (options: SourceOptions) => ColumnSource>> = {
  recorded: ({ sampleDir }) => recordedColumns(`${sampleDir}/recordings`),
};

interface Recorded {
  readonly series: Parameters<typeof readRecordedSeries>[1];
  /** How long after its time a value is published. */
  readonly delayMs: number;
}

// A funding rate is published at its settlement, a figure of a day when the day ends.
const fearGreed: Recorded = { series: 'fear and greed', delayMs: DAY_MS };
const recorded: Readonly<Record<string, Readonly<Record<string, Recorded>>>> = {
  BTC: { PerpFundingRate: { series: 'BTC-PERP funding', delayMs: 0 }, FearGreed: fearGreed },
  ETH: {
    PerpFundingRate: { series: 'ETH-PERP funding', delayMs: 0 },
    FearGreed: fearGreed,
    ActiveAddresses: { series: 'ethereum active addresses', delayMs: DAY_MS },
  },
};

/** The bundled recordings: real values, as published. */
function recordedColumns(folder: string): ColumnSource {
  return {
    name: 'recorded',
    licence: 'MIT',
    columnsOf: (asset) => Object.keys(recorded[asset] ?? {}),
    async fetch(asset, column, fromMs, toMs) {
      const found = recorded[asset]?.[column];
      if (found === undefined) throw new Error(`no recorded column ${column} of ${asset}`);
      const { time, value } = await readRecordedSeries(folder, found.series);
      const published = time.map((ms) => ms + found.delayMs);
      const isWanted = (_: number, i: number) => (published[i] ?? NaN) >= fromMs && (published[i] ?? NaN) < toMs;
      return { period: time.filter(isWanted), published: published.filter(isWanted), value: value.filter(isWanted) };
    },
  };
}
