import { endpointOf, type MethodName, type ReplyOf, type ToolNote, type UnaryName } from '../contract/index.js';
import {
  applyFieldsMask,
  type JsonSchema,
  type ObjectSchema,
  pacedAsJson,
  parseFieldsMask,
  type Route,
  requestMessage,
  routes,
  type UnaryRoute,
} from '../http/index.js';
import { ApiError } from '../rpc/index.js';
import { checkArguments, placeArguments } from './place-arguments.js';
import { type Described, schemaReader, WRAPPED } from './schemas.js';
import { readOrRefuse, type Tool } from './tool.js';
import { methodsInSet, type SetName, setNames, toolName, toolSet } from './tool-sets.js';

/** Arguments of tools beside the parameters of their routes; REST has them as headers. */
const FIELDS = 'fields';
const IDEMPOTENCY_KEY = 'idempotency_key';

const fieldsArgument: JsonSchema = {
  type: 'string',
  description: 'Fields to keep, such as `status,metrics{sharpe_ratio}`.',
};
const keyArgument: JsonSchema = {
  type: 'string',
  description: 'The same key and arguments within 24 hours get the first answer again.',
};

type UnaryRoutes = { readonly [M in UnaryName]: UnaryRoute<M> }[UnaryName];

/** The route that a tool of this method follows. */
export function toolRoute(method: MethodName): UnaryRoutes {
  const found = routes.find((route) => route.rpc === method && !route.binding.isDeprecated);
  if (found === undefined || found.toFrames !== undefined) throw new Error(`${method} has no route that answers once`);
  return found;
}

/** Routes of the tools, and what their document says of them. */
export interface Book {
  describe(method: MethodName): Described;
}

export function openBook(version: string): Book {
  const named = setNames.flatMap((set) => methodsInSet(set).map(({ method }) => method));
  const read = schemaReader(named.map(toolRoute), version);
  return { describe: (method) => read(toolRoute(method)) };
}

/** A tool for each method of the table. */
export const methodTools = (book: Book): readonly Tool[] =>
  setNames.flatMap((set) =>
    methodsInSet(set).map(({ method, note }) =>
      methodTool({ set, route: toolRoute(method), note }, book.describe(method)),
    ),
  );

interface Listed {
  readonly set: SetName;
  readonly route: UnaryRoutes;
  readonly note: ToolNote;
}

function methodTool({ set, route, note }: Listed, described: Described): Tool {
  const { summary, description } = described;
  const input = withOwnId(route, withoutInside(route, described.input));
  const output = withOwnId(route, described.output);
  const isRead = route.method === 'get' || note.isRead;
  const isOverwriting = ['put', 'patch', 'delete'].includes(route.method);
  const properties = {
    ...input.properties,
    [FIELDS]: fieldsArgument,
    ...(isRead || endpointOf(route.rpc).access === 'public' ? {} : { [IDEMPOTENCY_KEY]: keyArgument }),
  };
  return {
    ...{ set, output },
    name: toolName(route.rpc, note),
    methods: [route.rpc],
    title: summary,
    description: note.advice === undefined ? description : `${description}\n\n${note.advice}`,
    input: { ...input, properties },
    hints: {
      readOnlyHint: isRead,
      destructiveHint: isOverwriting,
      idempotentHint: isRead || isOverwriting,
      openWorldHint: toolSet(set).isOpenWorld === true,
    },
    act: act(route, { ...input, properties }),
  };
}

/** Tools whose arguments another one shows with all that is inside them. */
const shownBy: Readonly<Partial<Record<MethodName, string>>> = {
  ...{ 'Experiments.Create': 'experiments_run', 'Experiments.Replace': 'experiments_run' },
  ...{ 'Backtests.Submit': 'backtests_run', 'Backtests.RunBulk': 'strategies_create' },
  ...{ 'Strategies.Update': 'strategies_create' },
};

function withoutInside({ rpc }: UnaryRoutes, input: ObjectSchema): ObjectSchema {
  const tool = shownBy[rpc];
  if (tool === undefined) return input;
  const { $defs: _, ...rest } = input;
  const properties = Object.entries(input.properties).map(([name, schema]) => {
    if (!JSON.stringify(schema).includes('"$ref"')) return [name, schema];
    const { type, description = '' } = schema;
    return [name, { ...(type !== undefined && { type }), description: `${description} As in ${tool}.`.trim() }];
  });
  return { ...rest, type: 'object', properties: Object.fromEntries(properties) };
}

/** A schema in which the id of the method's thing has the name that tools give it. */
function withOwnId({ rpc }: UnaryRoutes, schema: ObjectSchema): ObjectSchema {
  const own = ownIdName(rpc);
  const required = (schema.required as readonly string[] | undefined)?.map((name) => (name === 'id' ? own : name));
  return { ...schema, properties: renamed(schema.properties, own), ...(required && { required }) };
}

async function json(route: UnaryRoutes, reply: object): Promise<unknown> {
  const { toJson } = route as { toJson?: (reply: object) => unknown };
  return toJson === undefined ? pacedAsJson(route, reply) : toJson(reply);
}

/** The JSON that REST answers with for a reply. */
export const restAnswer = <M extends UnaryName>(method: M, reply: ReplyOf<M>): Promise<unknown> =>
  json(toolRoute(method), reply);

function act<M extends UnaryName>(route: UnaryRoute<M>, input: Tool['input']): Tool['act'] {
  return async (call) => {
    const { rpc, options, signal } = call;
    const { message, mask, idempotencyKey } = await readOrRefuse(call, [route.rpc], () => {
      checkArguments(call.args, input);
      const { [FIELDS]: fields, [IDEMPOTENCY_KEY]: key, ...own } = call.args;
      const text = textOrNull(FIELDS, fields);
      return {
        message: requestMessage(route, placeArguments(route as Route, own, ownIdName(route.rpc))),
        mask: text === null ? null : parseFieldsMask(text, FIELDS),
        idempotencyKey: textOrNull(IDEMPOTENCY_KEY, key) ?? undefined,
      };
    });
    const { body } = await rpc.call(route.rpc, message, { ...options, signal, idempotencyKey });
    const answer = withToolIds(route.rpc, await json(route as UnaryRoutes, body));
    return asObject(mask === null ? answer : applyFieldsMask(answer, mask));
  };
}

function textOrNull(field: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  throw new ApiError('VALIDATION_ERROR', `${field} must be text, was ${typeof value}`, { field });
}

/** Answers of tools are objects. */
export const asObject = (answer: unknown): object =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : { [WRAPPED]: answer };

/**
 * The id of each thing that an answer holds under a key, alone or in a list. Tools name it as the
 * next tool takes it, such as `backtest_id`; REST names it `id` in the thing itself and in its path.
 */
const heldIds: Readonly<Record<string, string>> = {
  ...{ backtests: 'backtest_id', strategy: 'strategy_id', strategies: 'strategy_id', asset: 'asset_id' },
  ...{ accounts: 'account_id', position: 'position_id', positions: 'position_id', open_positions: 'position_id' },
};

const ID = 'id';

/** The name of the id of the thing that a method is about; `id` where it has no other. */
export function ownIdName(method: string): string {
  if (method.startsWith('Backtests.')) return 'backtest_id';
  const [, thing] = /(Account|Position)$/.exec(method) ?? [];
  return thing === undefined ? ID : `${thing.toLowerCase()}_id`;
}

/** A record whose key `id` has this name. */
export function renamed<T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  if (name === ID || !(ID in record)) return record;
  const { [ID]: id, ...others } = record;
  return name in others ? others : { [name]: id, ...others };
}

type Json = Readonly<Record<string, unknown>>;

/** The answer of a method with the names that its tool gives to ids. */
function withToolIds(method: string, answer: unknown): unknown {
  if (!isRecord(answer)) return answer;
  const named = Object.entries(renamed(answer, ownIdName(method))).map(([key, value]) => {
    const name = heldIds[key] ?? ID;
    return [key, Array.isArray(value) ? value.map((item) => renamedIn(item, name)) : renamedIn(value, name)];
  });
  return Object.fromEntries(named);
}

const renamedIn = (value: unknown, name: string): unknown => (isRecord(value) ? renamed(value, name) : value);

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
