import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server';
import { ApiError, asSeenBy, clip, shortAnswer } from '../rpc/index.js';
import { listedPrompts, promptText } from './prompts.js';
import { listDocuments, readResource, type Source, templatesFor } from './resources.js';
import type { Progress, Tool } from './tool.js';
import { type SetName, toolSets } from './tool-sets.js';

export interface ServerParts {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly sets: readonly SetName[];
  /** The service, and the credential and address of the caller of a request. */
  reach(context: ServerContext): Promise<Source>;
  /** Called with failures that no caller caused. */
  onBug(error: unknown): void;
}

const about = (
  sets: readonly SetName[],
): string => `Barline tests trading strategies over held bars: signals, backtests, sweeps, and how
far their results can be believed. Sets of tools here: ${sets.map((set) => `${set} (${toolSets[set].about})`).join('; ')}.
Usual way: market_list_datasets, signals_match, backtests_run, backtests_get_audit; for many variants experiments_run, then
experiments_get_honesty before you say anything good about the best one. Rates are fractions, times are UTC. A failed call
names field, bound and value: correct that and call again. \`fields\` keeps answers small.`;

/** A server of the protocol, over any transport. Every call goes to the service as its caller. */
export function createServer(parts: ServerParts): Server {
  const { version, sets } = parts;
  const server = new Server(
    { name: 'barline', title: 'Barline', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: about(sets) },
  );
  addTools(server, parts);
  addResources(server, parts);
  server.setRequestHandler('prompts/list', () => ({
    prompts: listedPrompts.map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) =>
    answered('prompts/get', parts, async () => {
      const { description, text } = promptText(params.name, params.arguments ?? {});
      return { description, messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
    }),
  );
  return server;
}

function addTools(server: Server, parts: ServerParts): void {
  const { sets, reach, onBug } = parts;
  const tools = parts.tools.filter(({ set }) => sets.includes(set));
  server.setRequestHandler('tools/list', (_request, context) =>
    answered('tools/list', parts, async () => {
      const granted = await grantedTo(await reach(context));
      return { tools: tools.filter(({ methods }) => methods.every((method) => granted.has(method))).map(listed) };
    }),
  );
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `no tool ${clip(params.name, 80)}: tools/list names those of this caller`,
      );
    }
    const { signal } = context.mcpReq;
    try {
      const call = { args: params.arguments ?? {}, signal, progress: progressTo(context) };
      return toolResult(await tool.act({ ...call, ...(await reach(context)) }));
    } catch (error) {
      // The answer to a cancelled call is not sent.
      if (signal.aborted) return errorResult(new ApiError('ENGINE_BUSY', 'the call was cancelled'));
      return errorResult(publishedFailure(error, tool.methods[0] ?? '', onBug));
    }
  });
}

/** The schemas are plain JSON, which the types of the protocol do not say. */
const listed = ({ name, title, description, input, output, hints }: Tool) => ({
  ...{ name, title, description },
  inputSchema: input as { type: 'object' },
  outputSchema: output as { type: 'object' },
  annotations: hints,
});

async function grantedTo({ rpc, options }: Source): Promise<ReadonlySet<string>> {
  const { body } = await rpc.call('Auth.ListGranted', {}, options);
  return new Set(body.methods);
}

/** Sends progress to a client that asked for it. */
function progressTo({ mcpReq }: ServerContext) {
  const token = mcpReq._meta?.progressToken;
  return async ({ done, total, message }: Progress): Promise<void> => {
    if (token === undefined) return;
    const params = { progressToken: token, progress: done, ...(total === undefined ? {} : { total }), message };
    await mcpReq.notify({ method: 'notifications/progress', params });
  };
}

function addResources(server: Server, parts: ServerParts): void {
  const { reach } = parts;
  server.setRequestHandler('resources/list', ({ params }, context) =>
    answered('resources/list', parts, async () => listDocuments(await reach(context), params?.cursor)),
  );
  server.setRequestHandler('resources/templates/list', (_request, context) =>
    answered('resources/templates/list', parts, async () => ({
      resourceTemplates: [...templatesFor(await grantedTo(await reach(context)))],
    })),
  );
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    answered('resources/read', parts, async () => ({
      contents: [{ uri, ...(await readResource(await reach(context), uri)) }],
    })),
  );
}

/** Refusals beyond tools are errors of the protocol, with the code of the service in their data. */
async function answered<T>(method: string, { onBug }: ServerParts, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message, details } = publishedFailure(error, method, onBug);
    const kind = code === 'INTERNAL_ERROR' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    throw new ProtocolError(kind, message, { code, ...details });
  }
}

/**
 * Larger answers help no agent, and no client shows them whole: the answer of a run leaves out its
 * lists; elsewhere the agent should ask for fewer rows or fields.
 */
export const ANSWER_BYTES_MAX = 1_000_000;

/** The answer of a tool, as data and, for clients that know no data, as text. */
interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

export function toolResult(answer: object, bytesMax = ANSWER_BYTES_MAX): ToolResult {
  const text = JSON.stringify(answer);
  const bytes = Buffer.byteLength(text);
  if (bytes > bytesMax) {
    const summary = shortAnswer(answer, bytes, bytesMax);
    if (summary !== null) return toolResult(summary, bytesMax);
    const message = `the answer has ${bytes} bytes, a tool may answer with ${bytesMax}: name the \`fields\` to keep, or ask for fewer rows`;
    return errorResult(new ApiError('PAYLOAD_TOO_LARGE', message, { limit: bytesMax }));
  }
  return { content: [{ type: 'text', text }], structuredContent: answer as Record<string, unknown> };
}

/**
 * A failed call, with the code, field, bound and value that REST and gRPC name: once to be read and
 * once as JSON. Structured content must follow the output schema of the tool, which describes
 * answers only, and clients show a violation in place of the refusal.
 */
function errorResult({ code, message, details }: ApiError): ToolResult {
  const told = [`${code}: ${message}`, JSON.stringify({ success: false, code, message, ...details })];
  return { isError: true, content: told.map((text) => ({ type: 'text', text })) };
}

/** The failure of a call as its method publishes it; a bug shows no more than that it is one. */
export function publishedFailure(error: unknown, method: string, onBug: (error: unknown) => void): ApiError {
  if (error instanceof ApiError) return asSeenBy(method, error);
  onBug(error);
  return new ApiError('INTERNAL_ERROR', 'an unexpected error occurred');
}
