import { type BacktestFigures, roles, type StrategyConfig } from '../candidate.js';
import type { Figure, KnownRun, Proposal, Tested, Working } from '../mind.js';
import { STATED, STATED_SHARE } from './metric-words.js';
import { numbersIn, plainSigns, withoutNames } from './read-numbers.js';

/** Most runs and figures that a conversation keeps of each; the oldest go first. */
export const FIGURES_MAX = 400;

/** Fields of results that say figures or repeat the user. */
const heldApart: ReadonlySet<string> = new Set([
  ...['figures', 'lines', 'verdict', 'luck_p', 'market_return', 'user_intention'],
]);

const day = /\d{4}-\d{2}-\d{2}/g;

/** What an answer may say: where each of its numbers, names and dates may come from. */
export class Evidence {
  /** Runs with their figures. */
  readonly runs: KnownRun[] = [];
  /** Number of the best candidate; null without one. */
  best: number | null = null;
  /** Figures that belong to no run: those of the market, of luck, of a verdict. */
  readonly figures: Figure[] = [];
  /** Numbers that tools returned beside figures: parameters, bounds, those of the documentation. */
  readonly settings = new Set<number>();
  /** Numbers of the user's own words. */
  readonly said = new Set<number>();
  /** How many there are of what was made: candidates, rules, runs. */
  readonly counts = new Set<number>();
  readonly #known = new Set<string>();
  readonly #verdicts: string[] = [];
  readonly #texts: string[] = [];
  readonly #saidTexts: string[] = [];

  /**
   * @param config the definition that ran, where it is known
   * @param place number of the candidate, from 1; null for a run that is no candidate
   */
  addRun({ backtest_id, ...figures }: BacktestFigures, config: StrategyConfig | null, place: number | null): void {
    const rules = config === null ? [] : roles.flatMap((role) => config[role] ?? []);
    const values = rules.flatMap(({ params }) => Object.values(params)).filter((value) => typeof value === 'number');
    const { total_return, sharpe_ratio, max_drawdown, win_rate, trade_count } = figures;
    this.#addKnown({
      ...{ id: backtest_id, candidate: place, signals: rules.map(({ name }) => name), values: [...new Set(values)] },
      figures: Object.entries({ total_return, sharpe_ratio, max_drawdown, win_rate, trade_count }).flatMap(
        ([metric, value]) => (value === null ? [] : { metric, value }),
      ),
    });
    this.addText(`${backtest_id} ${figures.start_date} ${figures.end_date}`);
  }

  /** A run that is a candidate stays one when it is read again. */
  #addKnown(run: KnownRun): void {
    const known = this.runs.findIndex(({ id }) => id === run.id);
    if (known < 0) this.runs.push(run);
    else if (run.candidate !== null) this.runs[known] = run;
  }

  addFigure({ metric, value }: Figure): void {
    const key = `${metric} ${value}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.figures.push({ metric, value });
  }

  /** Figures that statistics state in a sentence. */
  addVerdict(text: string): void {
    this.#verdicts.push(withoutNames(plainSigns(text)));
    for (const { value, isPercent } of numbersIn(plainSigns(text))) {
      this.addFigure(isPercent ? { metric: STATED_SHARE, value: value / 100 } : { metric: STATED, value });
    }
  }

  /** @param areCandidates false: runs of a sweep, and no candidates of the conversation */
  addTested({ candidates, best, verdict, luck_p, market_return }: Tested, areCandidates: boolean): void {
    for (const [i, { figures, config }] of candidates.entries()) {
      this.addRun(figures, config, areCandidates ? i + 1 : null);
    }
    if (areCandidates) this.best = best === null ? null : best + 1;
    this.addVerdict(verdict);
    if (luck_p !== null) this.addFigure({ metric: 'luck_p', value: luck_p });
    this.addFigure({ metric: 'market_return', value: market_return });
    this.counts.add(candidates.length);
  }

  /** What a tool returned, without figures and the user's words, which are held apart. */
  addResult(result: unknown): void {
    this.addText(JSON.stringify(result, (key, value) => (heldApart.has(key) ? undefined : value)) ?? '');
  }

  /** What stands beside figures. */
  addText(text: string): void {
    this.#texts.push(plainSigns(text).toLowerCase());
    for (const number of numbersOf(text)) this.settings.add(number);
  }

  addValue(value: unknown): void {
    this.addText(JSON.stringify(value));
  }

  addSaid(text: string): void {
    this.#saidTexts.push(plainSigns(text).toLowerCase());
    for (const number of numbersOf(text)) this.said.add(number);
  }

  /** What a conversation has made in earlier turns. */
  addWorking({ collected, proposal, candidates, tested, model }: Working): void {
    const { user_intention, ...facts } = collected;
    if (user_intention !== null) this.addSaid(user_intention);
    this.addValue(facts);
    for (const run of model?.runs ?? []) this.#addKnown({ ...run, candidate: null });
    for (const figure of model?.figures ?? []) this.addFigure(figure);
    if (proposal !== null) this.addProposal(proposal);
    this.addCandidates(candidates);
    if (tested !== null) this.addTested(tested, true);
  }

  addProposal({ triggers, filters }: Proposal): void {
    for (const rules of [triggers, filters]) {
      this.addValue(rules.map(({ name, params }) => ({ name, params })));
      this.counts.add(rules.length);
    }
  }

  addCandidates(candidates: readonly StrategyConfig[]): void {
    this.addValue(candidates);
    if (candidates.length > 0) this.counts.add(candidates.length);
  }

  /** Whether a sentence is quoted from a verdict. */
  isVerdict(sentence: string): boolean {
    return this.#verdicts.some((verdict) => verdict.includes(sentence.trim()));
  }

  /** Whether a tool returned this text, in any case. */
  hasReturned(text: string): boolean {
    return this.#texts.some((known) => known.includes(text.toLowerCase()));
  }

  hasSaid(text: string): boolean {
    return this.#saidTexts.some((known) => known.includes(text.toLowerCase()));
  }
}

/** Numbers of a text without signs; percentages also as fractions, dates also in parts. */
function* numbersOf(text: string): Iterable<number> {
  const plain = plainSigns(text);
  for (const [date] of plain.matchAll(day)) yield* date.split('-').map(Number);
  for (const { value, isPercent } of numbersIn(plain)) {
    yield Math.abs(value);
    if (isPercent) yield Math.abs(value) / 100;
  }
}
