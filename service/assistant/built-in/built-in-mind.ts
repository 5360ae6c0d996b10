import { apiTimeframes } from '../../../engine/index.js';
import { asApiError } from '../../api-error.js';
import type { PlannedRule, StrategyConfig } from '../candidate.js';
import type { Collected, Mind, Step, Tested, Turn, Working } from '../mind.js';
import type { Passages } from '../retrieval.js';
import type { AssistantTools, Ran, TestWindow } from '../tools.js';
import { assemble } from './assemble.js';
import { followUp } from './follow-up.js';
import { judge } from './judge.js';
import { proposeSignals, styleNames } from './propose.js';
import { type KnownAsset, mergeCollected, readMessage } from './read-message.js';
import { GOES_ON } from './vocabulary.js';
import { candidateWords, nextSteps, proposalWords, resultLines, understanding } from './words.js';

interface BuiltInParts {
  /** Assets by symbol with the names that people have for them. */
  readonly assetNames: ReadonlyMap<string, readonly string[]>;
  readonly passages: Passages;
  /** For the names of candidates. */
  readonly clock: () => number;
}

/** Questions of a state before the assistant goes on with what is usual. */
const QUESTIONS_MAX = 5;
/** Answers that add nothing before the assistant stops asking. */
const UNHELPFUL_MAX = 2;
const usual = { asset: 'BTC', timeframe: '1h', style: 'trend' } as const;
const MONTHS_DEFAULT = 36;
const SHORT_BARS_MONTHS = 12;

/**
 * The mind that needs no model and no network: it reads words and patterns, proposes signals of the
 * registry, and speaks of the runs that it has made.
 */
export class BuiltInMind implements Mind {
  constructor(private readonly parts: BuiltInParts) {}

  async answer(turn: Turn, tools: AssistantTools): Promise<Step> {
    const said = readMessage(turn.message, await this.#assets(tools));
    const known = mergeCollected(turn.working.collected, said);
    const refused = said.refused.length === 0 ? '' : `${said.refused.join(' ')}\n\n`;
    const step = await this.#step(turn, { ...turn.working, collected: known }, said.text, tools);
    return { ...step, content: refused + step.content };
  }

  #step(turn: Turn, working: Working, text: string, tools: AssistantTools): Promise<Step> {
    switch (turn.mode) {
      case 'collect_user_input':
        return this.#collect(turn, working, tools);
      case 'plan_signals':
        return this.#plan(working, text, tools);
      case 'assemble_strategy':
        return this.#assemble(working, text, tools);
      case 'backtest':
        return this.#test(working, tools);
      case 'done':
        return this.#followUp(turn, working);
    }
  }

  /** Asks for what is missing, or says what is understood. */
  async #collect(turn: Turn, working: Working, tools: AssistantTools): Promise<Step> {
    const { message } = turn;
    const before = turn.working.collected;
    const { collected } = working;
    const held = await tools.heldAssets();
    const missing = [
      ...(collected.asset === null ? [`which asset (${held.join(', ')})`] : []),
      ...(collected.timeframe === null ? [`which timeframe (${apiTimeframes.join(', ')})`] : []),
      ...(collected.style === null ? [`which idea (${Object.values(styleNames).join(', ')})`] : []),
    ];
    const asked = working.asked.collect_user_input ?? 0;
    const addsNothing = before.user_intention !== null && sameFacts(before, collected);
    const isEnough = collected.leaves_choice || (addsNothing && (GOES_ON.test(message) || asked >= UNHELPFUL_MAX));
    if (missing.length > 0 && !isEnough && asked < QUESTIONS_MAX) {
      const got = understanding(collected);
      return {
        content: `${got === '' ? 'I found no asset, timeframe or idea in that.' : `So far: ${got}.`} Please tell me ${missing.join('; ')}. Or say "you choose".`,
        mode: 'collect_user_input',
        working: { ...working, asked: { ...working.asked, collect_user_input: asked + 1 } },
      };
    }
    const filled: Collected = {
      ...collected,
      asset: collected.asset ?? (held.includes(usual.asset) ? usual.asset : (held[0] ?? usual.asset)),
      timeframe: collected.timeframe ?? usual.timeframe,
      style: collected.style ?? usual.style,
    };
    const noBars = await tools.whyNoBars(filled.asset ?? '', filled.timeframe ?? '');
    if (noBars !== null && asked < QUESTIONS_MAX && collected.timeframe !== null) {
      return {
        content: `${filled.asset} cannot run on ${filled.timeframe} bars: ${noBars}. Please choose another timeframe.`,
        mode: 'collect_user_input',
        working: {
          ...working,
          collected: { ...collected, timeframe: null },
          asked: { ...working.asked, collect_user_input: asked + 1 },
        },
      };
    }
    const chosen = missing.length === 0 ? '' : ' I chose what you left open.';
    return {
      content: `I understand: ${understanding(filled)}.${chosen} Next I propose signals; say "go on", or correct me.`,
      mode: 'plan_signals',
      working: { ...working, collected: filled },
    };
  }

  async #plan(working: Working, text: string, tools: AssistantTools): Promise<Step> {
    const { collected } = working;
    const description = `${collected.user_intention ?? ''} ${text} ${styleNames[collected.style ?? usual.style]}`;
    const columns = await tools.columnsBeside(collected.asset ?? '', collected.timeframe ?? '');
    const { proposal, missingColumns } = proposeSignals(description, collected, columns, tools);
    const lacking =
      missingColumns.length === 0
        ? ''
        : `\n\nOther signals fit as well but read ${missingColumns.join(', ')}, which ${collected.asset} does not have here.`;
    return {
      content: `For ${understanding(collected)}, I propose:\n\n${proposalWords(proposal)}${lacking}\n\nNext I put them together; say "go on", or name the signals that you prefer.`,
      mode: 'assemble_strategy',
      working: { ...working, proposal },
    };
  }

  async #assemble(working: Working, text: string, tools: AssistantTools): Promise<Step> {
    const named = GOES_ON.test(text) ? null : text;
    const { collected } = working;
    const columns = await tools.columnsBeside(collected.asset ?? '', collected.timeframe ?? '');
    const proposal =
      named === null || tools.findSignals(named, 'entry', 'TRIGGER').length === 0
        ? working.proposal
        : proposeSignals(named, collected, columns, tools).proposal;
    if (proposal === null) throw new Error('a conversation in assemble_strategy has a proposal');
    const stamp = new Date(this.parts.clock()).toISOString().replace(/[-:]|\.\d+/g, '');
    const candidates = assemble(collected, proposal, stamp);
    const list = candidates.map((config, i) => `${i + 1}. ${candidateWords(config)}`).join('\n');
    return {
      content: `These are the candidates, on ${understanding(collected)}:\n\n${list}\n\nNext I run them over the history; say "go on".`,
      mode: 'backtest',
      working: { ...working, proposal, candidates },
    };
  }

  /** Runs the candidates. A failure that the user can mend is the answer. */
  async #test(working: Working, tools: AssistantTools): Promise<Step> {
    const { collected } = working;
    const timeframe = collected.timeframe ?? usual.timeframe;
    const candidates = working.candidates.map((config) => movedTo(config, collected.asset ?? usual.asset, timeframe));
    const ran: Ran[] = [];
    try {
      for (const config of candidates) ran.push(await tools.runBacktest(config, timeframe, windowOf(collected)));
    } catch (error) {
      const known = asApiError(error);
      if (known === null || known.code === 'INTERNAL_ERROR') throw error;
      const content = `The backtests could not run: ${known.message}. Correct it, for example with other dates, and I try again.`;
      return { content, mode: 'backtest', working };
    }
    const { best, verdict, luckP, marketReturn } = judge(ran.map(({ run }) => run));
    const { start_date: start, end_date: end } = (ran[0] as Ran).figures;
    const tested: Tested = {
      candidates: candidates.map((config, i) => ({ config, figures: (ran[i] as Ran).figures })),
      best,
      verdict,
      luck_p: luckP,
      market_return: marketReturn,
      window: { start, end },
    };
    const content = [
      `${candidates.length} backtests of ${collected.asset} on ${timeframe} bars, ${start.slice(0, 10)} to ${end.slice(0, 10)}:`,
      resultLines(tested),
      verdict,
      `What to try next: ${nextSteps(tested).join(' ')}`,
    ].join('\n\n');
    return { content, mode: 'done', working: { ...working, candidates, tested } };
  }

  async #followUp({ message }: Turn, working: Working): Promise<Step> {
    const passages = await this.parts.passages.find(message, 1);
    return { content: followUp(message, working.tested, passages), mode: 'done', working };
  }

  async #assets(tools: AssistantTools): Promise<KnownAsset[]> {
    const held = await tools.heldAssets();
    const { assetNames } = this.parts;
    const symbols = new Set([...held, ...assetNames.keys()]);
    return [...symbols].map((symbol) => ({
      symbol,
      names: assetNames.get(symbol) ?? [],
      isHeld: held.includes(symbol),
    }));
  }
}

/** Whether the facts that matter for a strategy are the same. */
const sameFacts = (a: Collected, b: Collected): boolean =>
  a.asset === b.asset && a.timeframe === b.timeframe && a.style === b.style;

/** A candidate for the asset and timeframe that the user has changed to since. */
function movedTo(config: StrategyConfig, asset: string, timeframe: string): StrategyConfig {
  const move = (rules: readonly PlannedRule[]) => rules.map((rule) => ({ ...rule, timeframe }));
  return { ...config, asset, entry: move(config.entry), exit: move(config.exit) };
}

function windowOf({ start_date, end_date, lookback_months, timeframe }: Collected): TestWindow {
  if (start_date !== null) return { start_date, ...(end_date === null ? {} : { end_date }) };
  const isShort = timeframe === '5m' || timeframe === '15m' || timeframe === '30m';
  return { lookback_months: lookback_months ?? (isShort ? SHORT_BARS_MONTHS : MONTHS_DEFAULT) };
}
