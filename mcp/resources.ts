import { ApiError, type CallOptions, clip, type MethodName, type RpcClient } from '../rpc/index.js';
import { restAnswer } from './method-tools.js';

/* Resources: pages of the documentation, and what the caller has stored. */

interface Template {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

interface Kind extends Omit<Template, 'uriTemplate'> {
  /** `{id}` is the only variable. */
  readonly uriTemplate: `barline://${string}{id}${string}`;
  readonly method: MethodName;
  read(source: Source, id: string): Promise<string>;
}

/** RPC client and call options. */
export interface Source {
  readonly rpc: RpcClient;
  readonly options: CallOptions;
}

const stored = (answer: unknown): string => JSON.stringify(answer, null, 2);
const markdown = 'text/markdown';
const json = 'application/json';
const html = 'text/html';

const kinds: readonly Kind[] = [
  {
    uriTemplate: 'barline://docs/{id}',
    name: 'document',
    title: 'A page of the documentation',
    description:
      'A guide, or what the reference says of a signal, indicator, metric, setting or error code, by its slug.',
    mimeType: markdown,
    method: 'Knowledge.GetDocument',
    read: async ({ rpc, options }, slug) => (await rpc.call('Knowledge.GetDocument', { slug }, options)).body.content,
  },
  {
    uriTemplate: 'barline://strategies/{id}',
    name: 'strategy',
    title: 'A stored strategy',
    description: 'The definition of a strategy, by its UUID.',
    mimeType: json,
    method: 'Strategies.Get',
    read: async ({ rpc, options }, id) =>
      stored((await rpc.call('Strategies.Get', { strategy_id: id }, options)).body.strategy),
  },
  {
    uriTemplate: 'barline://backtests/{id}',
    name: 'backtest',
    title: 'A backtest with its trades',
    description: 'The record of a backtest, by its UUID.',
    mimeType: json,
    method: 'Backtests.Get',
    read: async ({ rpc, options }, id) =>
      stored(await restAnswer('Backtests.Get', (await rpc.call('Backtests.Get', { id }, options)).body)),
  },
  {
    uriTemplate: 'barline://backtests/{id}/report',
    name: 'tear-sheet',
    title: 'The tear sheet of a backtest',
    description: 'One self-contained HTML page: figures, account value, drawdown, months, entries and exits.',
    mimeType: html,
    method: 'Backtests.GetReport',
    read: async ({ rpc, options }, id) => (await rpc.call('Backtests.GetReport', { id }, options)).body.html,
  },
  {
    uriTemplate: 'barline://experiments/{id}',
    name: 'experiment',
    title: 'An experiment',
    description: 'The configuration of a sweep and how far it is, by its id.',
    mimeType: json,
    method: 'Experiments.Get',
    async read({ rpc, options }, id) {
      return stored(
        await restAnswer('Experiments.Get', (await rpc.call('Experiments.Get', { experiment_id: id }, options)).body),
      );
    },
  },
  {
    uriTemplate: 'barline://experiments/{id}/report',
    name: 'sweep-page',
    title: 'The page of an experiment',
    description: 'One self-contained HTML page: the best runs, and what to believe of them.',
    mimeType: html,
    method: 'Experiments.GetReport',
    read: async ({ rpc, options }, id) =>
      (await rpc.call('Experiments.GetReport', { experiment_id: id }, options)).body.html,
  },
];

/** Templates that the caller may read. */
export const templatesFor = (granted: ReadonlySet<string>): readonly Template[] =>
  kinds.filter(({ method }) => granted.has(method)).map(({ method: _, read: __, ...template }) => template);

/** Documents on one page of a listing. */
const PAGE = 200;

/** A page of the documents; the cursor is the number of those before it. */
export async function listDocuments({ rpc, options }: Source, cursor: string | undefined) {
  const from = cursor === undefined ? 0 : Number(cursor);
  const { body } = await rpc.call('Knowledge.ListDocuments', {}, options);
  if (!(Number.isSafeInteger(from) && from >= 0 && from <= body.total)) {
    throw new ApiError(
      'VALIDATION_ERROR',
      `cursor must be the nextCursor of a page before, was ${clip(cursor ?? '', 60)}`,
      {
        field: 'cursor',
      },
    );
  }
  const resources = body.documents.slice(from, from + PAGE).map(({ slug, title, summary }) => ({
    uri: `barline://docs/${encodeURIComponent(slug)}`,
    name: slug,
    ...{ title, description: summary, mimeType: markdown },
  }));
  return { resources, ...(from + PAGE < body.total ? { nextCursor: String(from + PAGE) } : {}) };
}

/**
 * The text that a URI names.
 * @throws ApiError RESOURCE_NOT_FOUND for a URI of no kind, or as the service answers it
 */
export async function readResource(source: Source, uri: string): Promise<{ mimeType: string; text: string }> {
  for (const { uriTemplate, mimeType, read } of kinds) {
    const [before = '', after = ''] = uriTemplate.split('{id}');
    const id = uri.slice(before.length, uri.length - after.length);
    if (!uri.startsWith(before) || !uri.endsWith(after) || id === '' || id.includes('/')) continue;
    return { mimeType, text: await read(source, decoded(id)) };
  }
  throw new ApiError('RESOURCE_NOT_FOUND', `no resource ${clip(uri, 200)}`);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id; // no service id has such characters, so it is not found
  }
}
