import { z } from 'zod';
import { beforeAbort } from '../../../data/upstreams/index.js';
import type { ChatMessage, ChatModel, ToolCall } from '../../../data/upstreams/model/index.js';
import { clip } from '../../../engine/text.js';
import { ApiError, asApiError } from '../../api-error.js';
import { agrees, leavesChoice } from '../built-in/read-message.js';
import { type Budget, tokensOf } from './budget.js';
import { problemsOf } from './check-answer.js';
import { generalTools, type ModelTool } from './model-tools.js';
import { openingMessages, type Prompts } from './prompts.js';
import type { Session } from './session.js';
import { stepTools } from './step-tools.js';
import { Unanswered } from './unanswered.js';

/** Replies of the model in one turn, tool calls and rewritten answers together. */
export const ROUNDS_MAX = 14;
/** Calls in one reply; further ones are refused. */
export const CALLS_MAX = 8;
/** Times that an answer is written again. */
const REWRITES_MAX = 2;
const RESULT_CHARACTERS_MAX = 12_000;
const PROBLEMS_MAX = 8;
const UNFOUNDED = 'its answer did not pass the checks';
/** What some local models write before they answer. */
const THOUGHTS = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/g;

interface Conversing {
  readonly model: ChatModel;
  readonly prompts: Prompts;
  readonly budget: Budget;
  readonly tokensMax: number;
}

/**
 * Lets the model call tools until it answers in words that pass the checks. The tools change the
 * session.
 * @throws Unanswered when it does not; UpstreamFault
 */
export async function converse(session: Session, conversing: Conversing, signal: AbortSignal): Promise<string> {
  const { model, prompts, budget, tokensMax } = conversing;
  const { mode } = session.turn;
  const tools = [...generalTools, ...stepTools[mode]];
  const described = tools.map(describe);
  const messages = openingMessages(session, prompts);
  const systemTokens = tokensOf(prompts.rules + prompts[mode]);
  const seen = new Map<string, string>();
  let rewrites = 0;
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const mayCall = round < ROUNDS_MAX;
    const asked = budget.ask(model, { messages, tools: described, mayCall, tokensMax }, systemTokens, signal);
    const { content: written, toolCalls, isCut } = await beforeAbort(asked, signal);
    const content = written.replace(THOUGHTS, '').trim();
    if (toolCalls.length > 0) {
      if (!mayCall) break;
      messages.push({ role: 'assistant', content, toolCalls });
      for (const [place, call] of toolCalls.entries()) {
        const result =
          place < CALLS_MAX
            ? await answerCall(call, tools, session, seen, signal)
            : refusal(`at most ${CALLS_MAX} calls at a time`);
        messages.push({ role: 'tool', callId: call.id, content: result });
      }
      continue;
    }
    const idle = idleIn(session);
    const problems = isCut ? ['The answer was cut off: write a shorter one.'] : problemsOf(content, session.evidence);
    if (idle !== null) problems.unshift(idle);
    if (problems.length === 0) return content;
    if (rewrites++ >= REWRITES_MAX) throw new Unanswered(idle === null ? UNFOUNDED : 'it did not take the next step');
    messages.push({ role: 'assistant', content, toolCalls: [] }, rewriteRequest(problems, prompts));
  }
  throw new Unanswered('it called tools without end');
}

/** What to do where the user has agreed, or leaves the choice, and the model has done nothing. */
function idleIn({ turn: { mode: before, message }, mode }: Session): string | null {
  const step = stepTools[before].at(-1);
  const isAgreed = agrees(message) || leavesChoice(message);
  return step === undefined || mode !== before || !isAgreed
    ? null
    : `The person agreed: call ${step.name} before you answer, so that the conversation goes on.`;
}

/** As the user, because many models take instructions of the system at the beginning only. */
const rewriteRequest = (problems: readonly string[], { rewrite }: Prompts): ChatMessage => ({
  role: 'user',
  content: [rewrite.trim(), ...problems.slice(0, PROBLEMS_MAX).map((problem) => `- ${problem}`)].join('\n'),
});

const describe = ({ name, description, args }: ModelTool) => {
  const { $schema, ...parameters } = z.toJSONSchema(args);
  return { name, description, parameters };
};

const refusal = (error: string): string => JSON.stringify({ error });

/** @throws ApiError VALIDATION_ERROR for what is not JSON of the form */
function readArgs({ args: form }: ModelTool, text: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    throw new ApiError('VALIDATION_ERROR', 'the arguments are not JSON');
  }
  const { success, data, error } = form.safeParse(json);
  if (success) return data;
  const problems = error.issues.slice(0, PROBLEMS_MAX).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new ApiError('VALIDATION_ERROR', problems.join('; '));
}

/** The result of a call, as the model reads it; a failure that it can mend is a result too. */
async function answerCall(
  { name, args }: ToolCall,
  tools: readonly ModelTool[],
  session: Session,
  seen: Map<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    return refusal(`there is no tool ${clip(name, 80)}; tools: ${tools.map((each) => each.name).join(', ')}`);
  }
  const key = `${name} ${args}`;
  if (seen.has(key)) return refusal('you made this call before in this answer: use its result');
  seen.set(key, name);
  try {
    const result = await beforeAbort(tool.run(readArgs(tool, args), session), signal);
    session.evidence.addResult(result);
    return clip(JSON.stringify(result), RESULT_CHARACTERS_MAX);
  } catch (error) {
    const known = asApiError(error);
    if (signal.aborted || known === null || known.code === 'INTERNAL_ERROR') throw error;
    return refusal(known.message);
  }
}
