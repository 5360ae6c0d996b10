/**
 * Code that the types of the contract refuse: `npm run check` compiles this file, and no test runs
 * it. The two lines of each pair differ in one thing: the first compiles, the second must not.
 */
import { pathOfMethod } from '../../../http/index.js';
import type { Route, RouteOf } from '../../../http/route.js';
import type { MethodName, ReceivedOf as Received, RpcClient, UnaryName } from '../../../rpc/index.js';
import type { Usage } from '../../../service/usage/capability.js';
import type { UseCasesOf } from '../../../service/use-cases.js';

declare const client: RpcClient;
declare const usage: Usage;
declare const table: UseCasesOf<'Webhooks'>;
declare const partial: Omit<UseCasesOf<'Webhooks'>, 'Webhooks.Test'>;
declare const get: Omit<RouteOf<UnaryName>, 'rpc' | 'toRequest'>;
declare function received<M extends MethodName>(name: M): Received<M>;

function contractTypes(): void {
  // A field of a request.
  void client.call('Strategies.Get', { strategy_id: 'x' });
  // @ts-expect-error
  void client.call('Strategies.Get', { id: 'x' });

  // A field of a reply.
  void client.call('Webhooks.List', {}).then(({ body }) => body.total);
  // @ts-expect-error
  void client.call('Webhooks.List', {}).then(({ body }) => body.count);

  // An optional field of a reply is null where it is unset.
  void client.call('Strategies.Get', {}).then(({ body }): string | null => body.strategy.description);
  // @ts-expect-error
  void client.call('Strategies.Get', {}).then(({ body }): string => body.strategy.description);

  // A table has every method.
  const value5: UseCasesOf<'Webhooks'> = table;
  void value5;
  // @ts-expect-error
  const value6: UseCasesOf<'Webhooks'> = partial;
  void value6;

  // A handler reads what its request has.
  const value9: UseCasesOf<'Usage'>['Usage.Get'] = async (_, { caller }) => usage.get(caller);
  void value9;
  // @ts-expect-error
  const value10: UseCasesOf<'Usage'>['Usage.Get'] = async (request, { caller }) => usage.get(caller, request.month);
  void value10;

  // A handler answers all that is not optional.
  const value11: UseCasesOf<'Strategies'>['Strategies.Delete'] = async () => ({ message: 'gone' });
  void value11;
  // @ts-expect-error
  const value12: UseCasesOf<'Strategies'>['Strategies.Delete'] = async () => ({ mesage: 'gone' });
  void value12;

  // A route shows what its reply has.
  const value15: Route = { ...get, rpc: 'Webhooks.List', toJson: ({ total }) => total };
  void value15;
  // @ts-expect-error
  const value16: Route = { ...get, rpc: 'Webhooks.List', toJson: ({ count }) => count };
  void value16;

  // A path is asked of a method.
  void pathOfMethod('Usage.Get');
  // @ts-expect-error
  void pathOfMethod('/usage');
}
void contractTypes;
