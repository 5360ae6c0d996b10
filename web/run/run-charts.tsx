import { useEffect, useMemo, useState } from 'preact/hooks';
import { count, percent } from '../../report/format.js';
import { createCurveChart } from '../charts/curve-chart.js';
import { createPriceChart, type TradeMark } from '../charts/price-chart.js';
import { createWindowStrip, type Span } from '../charts/window-strip.js';
import type { LoadedSeries } from '../engine/held-series.js';
import type { RunAnswer } from '../engine/protocol.js';
import { useChart } from '../parts/use-chart.js';
import { TradesTable } from './trades-table.js';

interface RunChartsProps {
  readonly loaded: LoadedSeries;
  readonly answer: RunAnswer | null;
  readonly window: Span | null;
  readonly onWindow: (window: Span | null) => void;
}

/** Window, curve, drawdown and candles of a run, linked with its trades. */
export function RunCharts({ loaded, answer, window, onWindow }: RunChartsProps) {
  const { bars } = loaded;
  const [picked, setPicked] = useState<number | null>(null);
  const [isLogarithmic, setLogarithmic] = useState(false);
  const [stripHost, strip] = useChart((host) => createWindowStrip(host, { height: 56, onChange: onWindow }));
  const [curveHost, curve] = useChart((host) =>
    createCurveChart(host, { height: 220, cursorKey: 'run', format: (value) => count(value) }),
  );
  const [fallHost, fall] = useChart((host) =>
    createCurveChart(host, { height: 110, cursorKey: 'run', format: (value) => percent(value, 0) }),
  );
  const [priceHost, price] = useChart((host) => createPriceChart(host, { height: 380, onPick: setPicked }));
  const marks = useMemo(() => (answer === null ? [] : tradeMarks(answer)), [answer]);

  useEffect(() => curve?.setLogarithmic(isLogarithmic), [curve, isLogarithmic]);
  useEffect(() => strip?.show(bars.time, bars.close), [strip, bars]);
  useEffect(() => strip?.select(window), [strip, bars, window]);
  useEffect(() => {
    if (answer === null) return;
    const { first, end } = answer.bars;
    const times = bars.time.subarray(first, end);
    curve?.show(times, [
      { label: 'account', colour: 'accent', values: answer.equity },
      { label: 'holding', colour: 'quiet', values: answer.holding },
    ]);
    fall?.show(times, [
      {
        label: 'drawdown',
        colour: 'down',
        values: drawdown(answer.equity, answer.config.initial_balance),
        isFilled: true,
      },
    ]);
  }, [curve, fall, answer, bars]);
  useEffect(() => price?.show(bars, marks), [price, bars, marks]);
  useEffect(() => setPicked(null), [answer]);
  useEffect(() => {
    const mark = picked === null ? undefined : marks[picked];
    price?.pick(mark ?? null);
    if (mark !== undefined) price?.zoomTo(mark.entryBar, mark.exitBar);
  }, [price, marks, picked]);

  const trades = answer?.trades ?? [];
  return (
    <>
      <div ref={stripHost} />
      <h2>
        Account against holding
        <label class="beside">
          <input
            type="checkbox"
            checked={isLogarithmic}
            onChange={({ currentTarget }) => setLogarithmic(currentTarget.checked)}
          />{' '}
          logarithmic
        </label>
      </h2>
      <div ref={curveHost} />
      <div ref={fallHost} />
      <h2>Price and trades</h2>
      <div ref={priceHost} />
      <p class="attribution">
        Price charts by{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView
        </a>{' '}
        Lightweight Charts™
      </p>
      {answer !== null && trades.length > 0 && (
        <TradesTable trades={trades} time={bars.time.subarray(answer.bars.from)} picked={picked} onPick={setPicked} />
      )}
    </>
  );
}

const tradeMarks = ({ trades, bars }: RunAnswer): TradeMark[] =>
  trades.map((trade) => ({
    ...{
      entryPrice: trade.entryPrice,
      exitPrice: trade.exitPrice,
      stopPrice: trade.stopPrice,
      targetPrice: trade.targetPrice,
    },
    entryBar: bars.from + trade.entryBar,
    exitBar: bars.from + trade.exitBar,
    isShort: trade.details?.side === 'short',
    isWin: trade.profitLoss > 0,
  }));

function drawdown(equity: Float64Array, start: number): Float64Array {
  let best = start;
  return equity.map((value) => {
    best = Math.max(best, value);
    return value / best - 1;
  });
}
