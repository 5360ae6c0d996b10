import type { Capability, Foundation } from '../capability.js';
import type { Tiers } from '../identity/tiers.js';
import { StrategyStore } from './store.js';
import { Strategies } from './strategies.js';

interface StrategyCapability extends Capability<'Strategies'> {
  readonly strategies: Strategies;
  readonly store: StrategyStore;
}

export function openStrategies(
  { config, state, market, clock, onWarnings }: Foundation,
  tiers: Tiers,
): StrategyCapability {
  const store = new StrategyStore(state.db);
  const strategies = new Strategies({
    store,
    composition: config.BARLINE_RULE_COMPOSITION,
    tiers,
    now: () => new Date(clock()),
    market,
    onWarnings,
  });
  return {
    strategies,
    store,
    reads: ['Strategies.List', 'Strategies.ListMine', 'Strategies.Get'],
    methods: strategyMethods(strategies),
  };
}

const strategyMethods = (strategies: Strategies): StrategyCapability['methods'] => ({
  'Strategies.List': (request, { caller }) => strategies.list(caller, request),
  'Strategies.ListMine': (request, { caller }) => strategies.listOwn(caller, request),
  'Strategies.Create': (request, { caller }) => strategies.create(caller, request),
  'Strategies.Get': async ({ strategy_id }, { caller }) => ({
    strategy: await strategies.get(caller, strategy_id),
  }),
  'Strategies.Update': (request, { caller }) => strategies.update(caller, request),
  'Strategies.Delete': async ({ strategy_id }, { caller }) => {
    await strategies.delete(caller, strategy_id);
    return { message: 'Strategy deleted' };
  },
  'Strategies.SetStatus': async (request, { caller }) => {
    const { id, status } = await strategies.setStatus(caller, request);
    return { message: `Strategy status is ${status}`, strategy_id: id, status };
  },
  'Strategies.SetExecutionState': async (request, { caller }) => {
    const { execution_state } = await strategies.setExecutionState(caller, request);
    return { message: 'Execution state updated', execution_state };
  },
  'Strategies.Archive': ({ strategy_id }, { caller }) => archive(strategies, caller, strategy_id, true),
  'Strategies.Unarchive': ({ strategy_id }, { caller }) => archive(strategies, caller, strategy_id, false),
});

async function archive(
  strategies: Strategies,
  caller: Parameters<Strategies['get']>[0],
  id: string,
  isArchived: boolean,
) {
  const { archived, archived_at } = await strategies.setArchived(caller, id, isArchived);
  return { strategy_id: id, archived, archived_at };
}
