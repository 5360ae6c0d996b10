import { count, money, NONE, percent, signed } from '../../report/format.js';
import type { RunAnswer } from '../engine/protocol.js';
import type { RunState } from './run-state.js';

interface RunSummaryProps {
  readonly answer: RunAnswer;
  readonly warnings: readonly string[];
  readonly state: RunState;
}

/** The headline figures, why nothing was traded, and what to know before believing them. */
export function RunSummary({ answer, warnings, state }: RunSummaryProps) {
  const { metrics, verdict, denied, elapsedMs, bars, config } = answer;
  const holding = (answer.holding.at(-1) ?? Number.NaN) / config.initial_balance - 1;
  const ratio = (value: number | null) => (value === null || !Number.isFinite(value) ? NONE : value.toFixed(2));
  const figures: readonly (readonly [string, string, string?])[] = [
    [
      'return',
      signed(metrics.total_return, percent(metrics.total_return, 1)),
      metrics.total_return >= 0 ? 'up' : 'down',
    ],
    ['holding', signed(holding, percent(holding, 1))],
    ['drawdown', percent(metrics.max_drawdown, 1)],
    ['Sharpe', ratio(metrics.sharpe_ratio)],
    ['trades', count(metrics.total_trades)],
    ['won', percent(metrics.win_rate, 0)],
    ['profit factor', ratio(metrics.profit_factor)],
    ['in the market', percent(metrics.exposure, 0)],
  ];
  return (
    <section class="summary" aria-label={`Result of ${state.strategy.name}`}>
      <dl>
        {figures.map(([name, value, tone]) => (
          <div>
            <dt>{name}</dt>
            <dd class={tone}>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet" data-elapsed={elapsedMs}>
        costs a leg: fee {percent(config.fee_pct, 3)}, slippage {percent(config.slippage_pct, 3)}; paid in all{' '}
        {money(metrics.total_fees)} and {money(metrics.total_slippage_cost)} · {count(bars.end - bars.first)} bars in{' '}
        {elapsedMs < 10 ? elapsedMs.toFixed(1) : elapsedMs.toFixed(0)} ms
      </p>
      {verdict !== null && <p class="verdict">{verdict}</p>}
      {denied.map(({ side, name, message }) => (
        <p class="problem">
          {side}: {name} was refused: {message}
        </p>
      ))}
      {warnings.map((warning) => (
        <p class="warning">{warning}</p>
      ))}
    </section>
  );
}
