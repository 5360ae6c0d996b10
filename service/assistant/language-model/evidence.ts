import type { BacktestFigures, StrategyConfig } from '../candidate.js';
import type { Figure, Proposal, Tested, Working } from '../mind.js';
import { STATED, STATED_SHARE } from './metric-words.js';
import { numbersIn, plainSigns, withoutNames } from './read-numbers.js';

/** Most figures that a conversation keeps; the oldest go first. */
export const FIGURES_MAX = 2_000;

const day = /\d{4}-\d{2}-\d{2}/g;

/** What an answer may say: where each of its numbers, names and dates may come from. */
export class Evidence {
  /** Figures of runs. */
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

  addRun({ backtest_id, ...figures }: BacktestFigures): void {
    for (const [metric, value] of Object.entries(figures)) {
      if (typeof value === 'number') this.addFigure({ metric, value });
    }
    this.addText(`${backtest_id} ${figures.start_date} ${figures.end_date}`);
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

  addTested({ candidates, verdict, luck_p, market_return }: Tested): void {
    for (const { figures } of candidates) this.addRun(figures);
    this.addVerdict(verdict);
    if (luck_p !== null) this.addFigure({ metric: 'luck_p', value: luck_p });
    this.addFigure({ metric: 'market_return', value: market_return });
    this.counts.add(candidates.length);
  }

  /** What a tool returned beside figures. */
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
    for (const figure of model?.figures ?? []) this.addFigure(figure);
    if (proposal !== null) this.addProposal(proposal);
    this.addCandidates(candidates);
    if (tested !== null) this.addTested(tested);
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
