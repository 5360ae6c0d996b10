import type { Strategies } from '../../service/strategies/index.js';
import type { Handlers } from '../calls.js';

type Request<Method extends keyof Strategies> = Parameters<Strategies[Method]>[1];
type Id = { readonly strategy_id: string };

export const strategyHandlers = (strategies: Strategies): Handlers => ({
  'Strategies.List': (request: Request<'list'>, { caller }) => strategies.list(caller, request),
  'Strategies.ListMine': (request: Request<'listOwn'>, { caller }) => strategies.listOwn(caller, request),
  'Strategies.Create': (request: Request<'create'>, { caller }) => strategies.create(caller, request),
  'Strategies.Get': async ({ strategy_id }: Id, { caller }) => ({
    strategy: await strategies.get(caller, strategy_id),
  }),
  'Strategies.Update': (request: Request<'update'>, { caller }) => strategies.update(caller, request),
  'Strategies.Delete': async ({ strategy_id }: Id, { caller }) => {
    await strategies.delete(caller, strategy_id);
    return { message: 'Strategy deleted' };
  },
  'Strategies.SetStatus': async (request: Request<'setStatus'>, { caller }) => {
    const { id, status } = await strategies.setStatus(caller, request);
    return { message: `Strategy status is ${status}`, strategy_id: id, status };
  },
  'Strategies.SetExecutionState': async (request: Request<'setExecutionState'>, { caller }) => {
    const { execution_state } = await strategies.setExecutionState(caller, request);
    return { message: 'Execution state updated', execution_state };
  },
  'Strategies.Archive': ({ strategy_id }: Id, { caller }) => archive(strategies, caller, strategy_id, true),
  'Strategies.Unarchive': ({ strategy_id }: Id, { caller }) => archive(strategies, caller, strategy_id, false),
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
