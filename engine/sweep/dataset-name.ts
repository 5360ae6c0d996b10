/** First and last UTC date of a window, both included. */
export interface WindowDates {
  readonly start: string;
  readonly end: string;
}

interface Named {
  readonly asset: string;
  readonly timeframe: string;
  /** Absent where all bars that are held are searched. */
  readonly window?: WindowDates | undefined;
}

/** `BTC 1d`, and its days where the sweep searches a window of it. */
export const datasetName = ({ asset, timeframe, window }: Named): string =>
  window === undefined ? `${asset} ${timeframe}` : `${asset} ${timeframe} from ${window.start} to ${window.end}`;
