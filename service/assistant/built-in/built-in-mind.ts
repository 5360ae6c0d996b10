import { apiTimeframes } from '../../../engine/index.js';
import { asApiError } from '../../api-error.js';
import type { Collected, Mind, Step, Tested, Turn, Working } from '../mind.js';
import type { Passages } from '../retrieval.js';
import type { AssistantTools } from '../tools.js';
import { assemble, stampOf } from './assemble.js';
import { followUp } from './follow-up.js';
import { proposeSignals, styleNames, usual } from './propose.js';
import { type KnownAsset, mergeCollected, readMessage } from './read-message.js';
import { stepWords } from './step-words.js';
import { testCandidates } from './test-candidates.js';
import { GOES_ON } from './vocabulary.js';
import { understanding } from './words.js';

interface BuiltInParts {
  /** Assets by symbol with the names that people have for them. */
  readonly assetNames: ReadonlyMap<string, readonly string[]>;
  readonly passages: Passages;
  /** For the names of candidates. */
  readonly clock: () => number;
}

/** Questions of a state before the assistant goes on with what is usual. */
export const QUESTIONS_MAX = 5;
/** Answers that add nothing before the assistant stops asking. */
const UNHELPFUL_MAX = 2;

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
    const answered = { mind: 'built-in', instead_because: null } as const;
    return { ...step, content: refused + step.content, working: { ...step.working, answered } };
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
    const after = { ...working, collected: filled };
    return { content: stepWords.plan_signals(after, chosen), mode: 'plan_signals', working: after };
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
    const after = { ...working, proposal };
    return { content: stepWords.assemble_strategy(after, lacking), mode: 'assemble_strategy', working: after };
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
    const candidates = assemble(collected, proposal, stampOf(this.parts.clock()));
    const after = { ...working, proposal, candidates };
    return { content: stepWords.backtest(after), mode: 'backtest', working: after };
  }

  /** Runs the candidates. A failure that the user can mend is the answer. */
  async #test(working: Working, tools: AssistantTools): Promise<Step> {
    let tested: Tested;
    try {
      tested = await testCandidates(working, tools);
    } catch (error) {
      const known = asApiError(error);
      if (known === null || known.code === 'INTERNAL_ERROR') throw error;
      const content = `The backtests could not run: ${known.message}. Correct it, for example with other dates, and I try again.`;
      return { content, mode: 'backtest', working };
    }
    const candidates = tested.candidates.map(({ config }) => config);
    const after = { ...working, candidates, tested };
    return { content: stepWords.done(after), mode: 'done', working: after };
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
