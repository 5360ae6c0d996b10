import { endpointOf, type MethodName, methodNames, type ToolNote } from '../contract/index.js';

interface ToolSet {
  readonly about: string;
  /** Whether a client that names no sets gets it. */
  readonly isDefault: boolean;
  /** Whether its answers may come from a provider outside of this service. */
  readonly isOpenWorld?: true;
}

/**
 * Sets of tools that a client chooses from: a long list of tools costs an agent more attention than
 * it is worth. The contract says which methods are tools, and in which set.
 */
export const toolSets = {
  signals: { about: 'the library of signals: find, read, validate and evaluate them', isDefault: true },
  strategies: { about: 'stored strategies: write, read, change, archive', isDefault: true },
  backtests: { about: 'backtests with their trades, audits, manifests and replays', isDefault: true },
  portfolios: { about: 'one account over many assets: members with rules, or weights', isDefault: false },
  experiments: {
    about: 'sweeps over many configurations, and how far the best of them can be believed',
    isDefault: true,
  },
  results: { about: 'rows of results and of bars: filter, sort, page', isDefault: true },
  market: {
    about: 'which bars are held, and trades, quotes and bars of the market',
    isDefault: true,
    isOpenWorld: true,
  },
  knowledge: { about: 'the documentation: search, pages, words, indicators, settings', isDefault: true },
  assistant: { about: 'a conversation that leads from an idea in words to a tested strategy', isDefault: false },
  execution: { about: 'paper accounts, positions and the evaluation of strategies at the last bar', isDefault: false },
  deployed: { about: 'deployed paper strategies and their events', isDefault: false },
  simulations: { about: 'strategies over generated markets', isDefault: false },
  usage: { about: 'what the organization has used of its limits', isDefault: false },
  assets: { about: 'facts, markets and risks of crypto assets', isDefault: false, isOpenWorld: true },
  onchain: { about: 'flows, holders and large transfers on chains', isDefault: false, isOpenWorld: true },
  defi: {
    about: 'value locked, stablecoins, unlocks, funding, treasuries, lending',
    isDefault: false,
    isOpenWorld: true,
  },
  social: { about: 'posts about coins: sentiment, mentions, influence', isDefault: false, isOpenWorld: true },
} as const satisfies Readonly<Record<string, ToolSet>>;

export type SetName = keyof typeof toolSets;

export const setNames = Object.keys(toolSets) as readonly SetName[];

/** The sets by name, with the optional keys of the table. */
export const toolSet = (name: SetName): ToolSet => toolSets[name];

/** A method that agents can call. */
interface ToolMethod {
  readonly method: MethodName;
  readonly note: ToolNote;
}

/** The methods of a set, in the order of the contract. */
export const methodsInSet = (set: SetName): readonly ToolMethod[] =>
  methodNames.flatMap((method) => {
    const note = endpointOf(method).tool;
    return note?.set === set ? [{ method, note }] : [];
  });

/** The method `Backtests.GetStatus` of the set `backtests` becomes `backtests_get_status`. */
export function toolName(method: string, { set, name }: ToolNote): string {
  const [, own = ''] = method.split('.');
  return `${set}_${name ?? own.replace(/(?<=[a-z])[A-Z]/g, (capital) => `_${capital}`).toLowerCase()}`;
}
