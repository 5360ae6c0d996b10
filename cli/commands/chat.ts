import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { EngineError } from '../../engine/errors.js';
import type { Environment } from '../environment.js';
import { note, print, printJson } from '../output.js';

const signals = ['SIGINT', 'SIGTERM'] as const;
const EXIT_INTERRUPTED = 130;
/** A chat that goes on for so long takes up what waits in the queues of the home too. */
const WORK_AFTER_MS = 15_000;

interface ChatOptions {
  readonly session?: string;
  readonly json?: true;
}

export function addChat(program: Command, environment: Environment): void {
  program
    .command('chat')
    .description('talk with the assistant: it reads an idea, says it back and tests it once you agree')
    .argument('[message]', 'one message; without it, messages are read line by line until the end or "exit"')
    .option('--session <id>', 'go on with a conversation; default: a new one')
    .option('--json', 'print each answer as a line of JSON')
    .action(async (message: string | undefined, options: ChatOptions) => {
      await converse(environment, message ?? null, options);
    });
}

async function converse(environment: Environment, message: string | null, options: ChatOptions): Promise<void> {
  if (message?.trim() === '') return;
  const { openLocalService } = await import('../../server/index.js');
  const { askAssistant } = await import('../../mcp/index.js');
  const { ApiError, RpcClient } = await import('../../rpc/index.js');
  const config = await environment.readServiceConfig();
  // A line of a log would stand in the prompt.
  const logFile = join(environment.home, 'chat.log');
  const service = await openLocalService(environment, config, { logFile, workAfterMs: WORK_AFTER_MS });
  const rpc = new RpcClient(service.address);
  const ending = new AbortController();
  const interrupt = () => ending.abort();
  for (const name of signals) process.once(name, interrupt);
  const call = { authorization: `Bearer ${service.key}` };
  let id = options.session ?? null;
  const say = async (text: string): Promise<void> => {
    const answer = await askAssistant(rpc, call, id, text, ending.signal);
    id = answer.session_id;
    if (options.json) return printJson(answer);
    for (const line of answer.answer.split('\n')) print(line);
    if (message === null) print();
  };
  try {
    if (message !== null) await say(message);
    else await readLines(say, ending, config.BARLINE_LLM_BASE_URL !== undefined);
    if (ending.signal.aborted) process.exitCode = EXIT_INTERRUPTED;
    if (id !== null) note(`go on with: barline chat --session ${id}`);
  } catch (error) {
    if (ending.signal.aborted) {
      process.exitCode = EXIT_INTERRUPTED;
      if (id !== null) note(`stopped; the answer that was under way stays in: barline chat --session ${id}`);
      return;
    }
    if (error instanceof ApiError) throw new EngineError('INVALID_FIELD', error.message, error.details);
    throw error;
  } finally {
    for (const name of signals) process.off(name, interrupt);
    rpc.close();
    await service.close();
  }
}

/** Which form is read, in one line. */
const form = (hasModel: boolean): string =>
  hasModel
    ? 'Say what you want to test, in your own words. "exit" ends.'
    : 'It reads short English sentences, such as: buy BTC 4h when rsi(14) < 30, stop 3 %. A language model reads any words (docs/assistant.md). "exit" ends.';

/**
 * Messages of a terminal or a pipe, one a line, until the end, "exit" or Ctrl-C, which first clears a
 * line that is half typed.
 */
async function readLines(
  say: (text: string) => Promise<void>,
  ending: AbortController,
  hasModel: boolean,
): Promise<void> {
  const { stdin: input, stdout: output } = process;
  const lines = createInterface({ input, ...(input.isTTY ? { output, prompt: '> ' } : {}) });
  // A terminal in raw mode sends Ctrl-C as a key.
  lines.on('SIGINT', () => {
    if (lines.line === '') return ending.abort();
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
  });
  ending.signal.addEventListener('abort', () => lines.close(), { once: true });
  if (input.isTTY) {
    note(form(hasModel));
    lines.prompt();
  }
  for await (const line of lines) {
    const text = line.trim();
    if (text === 'exit' || text === 'quit') break;
    if (text !== '') await say(text);
    if (input.isTTY && !ending.signal.aborted) lines.prompt();
  }
  lines.close();
}
