import { readFileSync } from 'node:fs';
import type { BacktestFigures, PlannedRule, StrategyConfig } from '../../../../service/assistant/candidate.js';
import { Evidence } from '../../../../service/assistant/language-model/evidence.js';
import { goldenPath } from '../../../support/tree.js';

type Rule = readonly [name: string, params: Readonly<Record<string, number>>];
type Figures = Omit<BacktestFigures, 'backtest_id' | 'start_date' | 'end_date'>;

interface Tried {
  readonly entry: readonly Rule[];
  readonly exit: readonly Rule[];
  readonly figures: Figures;
}

interface GoldenAnswers {
  readonly said: string;
  readonly tested: {
    readonly best: number;
    readonly verdict: string;
    readonly luck_p: number;
    readonly market_return: number;
    readonly window: { readonly start: string; readonly end: string };
    readonly candidates: readonly Tried[];
  };
  /** A run that the person asked for afterwards. */
  readonly variant: Tried;
  readonly honest: readonly string[];
  /** With what is a lie: a figure, or a name. */
  readonly dishonest: readonly (readonly [lie: 'figure' | 'name', text: string])[];
}

/** Answers that may be sent and answers that may not, after one conversation. */
export const goldenAnswers = JSON.parse(readFileSync(goldenPath('assistant-answers.json'), 'utf8')) as GoldenAnswers;

const ruleOf = ([name, params]: Rule, place: number): PlannedRule => ({
  ...{ name, params, timeframe: '4h', signal_type: place === 0 ? 'TRIGGER' : 'FILTER' },
});

const configOf = ({ entry, exit }: Tried): StrategyConfig => ({
  ...{ name: 'BTC', asset: 'BTC', entry: entry.map(ruleOf), exit: exit.map(ruleOf) },
  ...{ reward_factor: 2, execution_config: { max_risk_per_trade: 0.02 } },
});

const figuresOf = ({ figures }: Tried, place: number, { start, end }: { start: string; end: string }) => ({
  ...{ ...figures, backtest_id: `3f2b8c1e-0000-4c6b-8e2f-00000000000${place}` },
  ...{ start_date: start, end_date: end },
});

/** What the tools have returned in that conversation. */
export function goldenEvidence(): Evidence {
  const { said, tested, variant } = goldenAnswers;
  const evidence = new Evidence();
  const candidates = tested.candidates.map((tried, i) => ({
    ...{ config: configOf(tried), figures: figuresOf(tried, i + 1, tested.window) },
  }));
  evidence.addSaid(said);
  evidence.addCandidates(candidates.map(({ config }) => config));
  evidence.addTested({ ...tested, candidates }, true);
  evidence.addRun(figuresOf(variant, 9, tested.window), configOf(variant), null);
  evidence.addValue(configOf(variant));
  return evidence;
}
