import { ApiError, asSeenBy, shortAnswer } from '../rpc/index.js';

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
export function errorResult({ code, message, details }: ApiError): ToolResult {
  const told = [`${code}: ${message}`, JSON.stringify({ success: false, code, message, ...details })];
  return { isError: true, content: told.map((text) => ({ type: 'text', text })) };
}

/** The failure of a call as its method publishes it; a bug shows no more than that it is one. */
export function publishedFailure(error: unknown, method: string, onBug: (error: unknown) => void): ApiError {
  if (error instanceof ApiError) return asSeenBy(method, error);
  onBug(error);
  return new ApiError('INTERNAL_ERROR', 'an unexpected error occurred');
}
