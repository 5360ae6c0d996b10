import assert from 'node:assert/strict';
import { type Example, methodExample, openApiDocument } from '../../http/openapi.js';
import type { Route } from '../../http/route.js';
import { routes } from '../../http/routes.js';
import type { MethodName, UnaryName } from '../../rpc/index.js';
import { type Answer, restApi } from './api.js';
import { paidService, sharedService } from './contract.js';
import { idToken } from './id-token.js';
import { DEV_SECRET, MANAGEMENT_KEY, type TestService } from './service.js';

/* The examples of the documents as requests of a user, with the records that they need. */

/** They change a short piece of work, which may have ended before. */
export const racing: readonly MethodName[] = [
  'Experiments.Pause',
  'Experiments.Cancel',
  'Backtests.Cancel',
  'Portfolios.Cancel',
];

/** Who sends the examples: a user of a service. */
export interface Sender {
  readonly service: TestService;
  readonly orgId: string;
  readonly token: string;
  readonly call: (method: UnaryName, request?: object) => Promise<Answer['body']>;
}

type Prepare = (sender: Sender) => Promise<Example>;

/** What the example of a method makes, as the path that names it. */
const made =
  // biome-ignore lint/suspicious/noExplicitAny: each line picks the id of its own answer
    (method: UnaryName, param: string, idIn: (body: any) => string): Prepare =>
    async ({ call }) => ({ path: { [param]: idIn(await call(method, methodExample(method).body)) } });

const created = async ({ call }: Sender): Promise<string> =>
  (await call('Experiments.Create', methodExample('Experiments.Create').body)).experiment_id;

async function launched(sender: Sender, isLaunched = true): Promise<string> {
  const experiment_id = await created(sender);
  await sender.call('Experiments.Validate', { experiment_id });
  if (isLaunched) await sender.call('Experiments.Launch', { experiment_id });
  return experiment_id;
}

/** Of the sender that such methods share the same one again. */
async function completed(sender: Sender): Promise<string> {
  if (sender !== (await sharedSender)) return complete(sender);
  sharedExperiment ??= complete(sender);
  return sharedExperiment;
}

async function complete(sender: Sender): Promise<string> {
  const experiment_id = await launched(sender);
  for (;;) {
    const { status } = await sender.call('Experiments.Get', { experiment_id });
    if (status === 'completed') return experiment_id;
    assert.ok(['queued', 'running'].includes(status), status);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const experiment =
  (make: (sender: Sender) => Promise<string>): Prepare =>
  async (sender) => ({ path: { experiment_id: await make(sender) } });

const strategy = made('Strategies.Create', 'strategy_id', ({ strategy }) => strategy.id);
const backtest = made('Backtests.Run', 'id', ({ backtest_id }) => backtest_id);
const portfolio = made('Portfolios.Run', 'portfolio_id', ({ portfolio_id }) => portfolio_id);
const anyRun = made('Backtests.Run', 'run_id', ({ backtest_id }) => backtest_id);
const account = made('Execution.CreateAccount', 'id', ({ id }) => id);
const conversation = made('Assistant.Start', 'session_id', ({ conversation: { session_id } }) => session_id);
const deployed = made('Deployed.ListStrategies', 'strategy_id', ({ strategies: [one] }) => one.strategy_id);

/** Bought by a strategy whose rules hold on the last bundled bar. */
const position: Prepare = async ({ call }) => {
  const entry = [
    { name: 'roc_negative', signal_type: 'TRIGGER', timeframe: '1h', params: {} },
    { name: 'stc_oversold', signal_type: 'FILTER', timeframe: '1h', params: {} },
  ];
  const { strategy: made } = await call('Strategies.Create', { name: 'Dip', asset: 'BTC', entry });
  const { new_orders: orders } = await call('Execution.Evaluate', { strategy_id: made.id });
  return { path: { id: orders[0].position_id } };
};

const webhook: Prepare = async ({ call }) => {
  const made = await call('Webhooks.Create', { url: 'http://127.0.0.1:9/hook' });
  return { path: { id: made.webhook.id } };
};

const organization: Prepare = async ({ orgId }) => ({ path: { id: orgId } });

const member: Prepare = async ({ service, call, orgId }) => {
  const { userId } = await service.login();
  await call('Auth.AddMember', { id: orgId, user_id: userId, role: 'viewer' });
  return { path: { id: orgId, user_id: userId } };
};

let codes = 0;
const newCode = () => `DOC-${++codes}`;

const promoCode: Prepare = async ({ call }) => {
  const code = newCode();
  await call('PromoCodes.Create', { ...methodExample('PromoCodes.Create').body, code });
  return { path: { code }, body: { ...methodExample('PromoCodes.Redeem').body, code } };
};

/** What only the test can know: ids of records that exist, and tokens. */
const preparations: Readonly<Partial<Record<MethodName, Prepare>>> = {
  'Assistant.Get': conversation,
  'Assistant.Chat': conversation,
  'Assistant.Rename': conversation,
  'Assistant.Delete': conversation,
  'Auth.Login': async () => ({ body: { idp_token: await idToken(DEV_SECRET) } }),
  'Auth.Refresh': async ({ call }) => {
    const { refresh_token } = await call('Auth.Login', { idp_token: await idToken(DEV_SECRET) });
    return { body: { refresh_token } };
  },
  'Auth.SwitchOrganization': async ({ orgId }) => ({ body: { org_id: orgId } }),
  'Auth.RevokeApiKey': made('Auth.CreateApiKey', 'key_id', ({ key_id }) => key_id),
  'Auth.ListMembers': organization,
  'Auth.AddMember': async ({ service, orgId }) => ({
    path: { id: orgId },
    body: { ...methodExample('Auth.AddMember').body, user_id: (await service.login()).userId },
  }),
  'Auth.ChangeRole': member,
  'Auth.RemoveMember': member,
  'Execution.Evaluate': strategy,
  'Execution.GetPosition': position,
  'Execution.ClosePosition': position,
  'Execution.GetAccount': account,
  'Execution.UpdateAccount': account,
  'Backtests.Get': backtest,
  'Backtests.ListTrades': backtest,
  'Backtests.Archive': backtest,
  'Backtests.Unarchive': backtest,
  'Backtests.GetManifest': backtest,
  'Backtests.Replay': backtest,
  'Backtests.GetAudit': backtest,
  'Backtests.GetReport': backtest,
  'Backtests.GetStatus': backtest,
  'Backtests.Cancel': made('Backtests.Submit', 'id', ({ backtest_id }) => backtest_id),
  'Portfolios.Get': portfolio,
  'Portfolios.ListTrades': portfolio,
  'Portfolios.Archive': portfolio,
  'Portfolios.Unarchive': portfolio,
  'Runs.Mark': anyRun,
  'Portfolios.Cancel': made('Portfolios.Submit', 'portfolio_id', ({ portfolio_id }) => portfolio_id),
  'Batch.GetStatus': made('Batch.Submit', 'backtest_id', ({ backtest_id }) => backtest_id),
  'Experiments.Get': experiment(created),
  'Experiments.Replace': experiment(created),
  'Experiments.Delete': experiment(created),
  'Experiments.Validate': experiment(created),
  'Experiments.Launch': experiment((from) => launched(from, false)),
  'Experiments.Pause': experiment(launched),
  'Experiments.Cancel': experiment(launched),
  'Experiments.WatchProgress': experiment(completed),
  'Experiments.GetHonesty': experiment(completed),
  'Experiments.GetReport': experiment(completed),
  'Experiments.ListRows': experiment(completed),
  'PromoCodes.Create': async () => ({ body: { ...methodExample('PromoCodes.Create').body, code: newCode() } }),
  'PromoCodes.Revoke': promoCode,
  'PromoCodes.Reinstate': promoCode,
  'PromoCodes.ListRedemptions': promoCode,
  'PromoCodes.Validate': promoCode,
  'PromoCodes.Redeem': promoCode,
  'Webhooks.Get': webhook,
  'Webhooks.Delete': webhook,
  'Webhooks.Rotate': webhook,
  'Webhooks.Test': webhook,
  'Webhooks.ListDeliveries': webhook,
  'Deployed.GetState': deployed,
  'Deployed.ListEvents': deployed,
  'Auth.RemoveFromAllowlist': async ({ call }) => {
    await call('Auth.AddToAllowlist', methodExample('Auth.AddToAllowlist').body);
    return {};
  },
};

const document = openApiDocument(routes, 'test') as unknown as {
  readonly paths: Readonly<
    Record<
      string,
      Record<
        string,
        {
          readonly parameters?: readonly {
            readonly in: string;
            readonly name: string;
            readonly schema: { readonly example?: string };
          }[];
        }
      >
    >
  >;
};

/** Values in the path of a route, as the document shows them. */
const shownPath = (route: Route) =>
  Object.fromEntries(
    (document.paths[route.path]?.[route.method]?.parameters ?? [])
      .filter((one) => one.in === 'path')
      .map((one) => [one.name, String(one.schema.example)]),
  );

/** They read a completed experiment, and share one: it costs a sweep. */
const ofCompleted: readonly MethodName[] = [
  'Experiments.WatchProgress',
  'Experiments.GetHonesty',
  'Experiments.GetReport',
  'Experiments.ListRows',
];
let sharedSender: Promise<Sender> | null = null;
let sharedExperiment: Promise<string> | null = null;

/** A new user of the service that can answer a method. */
export async function senderOf(method: MethodName): Promise<Sender> {
  if (ofCompleted.includes(method)) {
    sharedSender ??= sharedService().then(sender);
    return sharedSender;
  }
  const isPaid = /^Defi\.List/.test(method); // the tier of the shared service lacks paid reads
  const service = await (isPaid ? paidService() : sharedService());
  return sender(service);
}

export async function sender(service: TestService): Promise<Sender> {
  const { token, orgId } = await service.login();
  const api = restApi(service.origin, token);
  return {
    service,
    orgId,
    token,
    async call(name, request = {}) {
      const { code, message, body } = await api.call(name, request, { managementKey: MANAGEMENT_KEY });
      assert.equal(code, 'OK', `${name}: ${message}`);
      return body;
    },
  };
}

/** What makes the record that the path of a route names. */
const preparationOf = ({ rpc, path }: Route): Prepare | undefined =>
  preparations[rpc] ?? (path.includes('/strategies/{strategy_id}') ? strategy : undefined);

/** Whether the path of a route names what its sender has made before. */
export const namesOwn = (route: Route): boolean => route.path.includes('{') && preparationOf(route) !== undefined;

export type FullExample = Required<Pick<Example, 'path'>> & Example;

/** The example of a route, with all of its path, after its sender has made what it names. */
export async function exampleFor(route: Route, from: Sender): Promise<FullExample> {
  const known = (await preparationOf(route)?.(from)) ?? {};
  return { ...methodExample(route.rpc), ...known, path: { ...shownPath(route), ...known.path } };
}
