import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { EngineError } from '../../engine/errors.js';
import type { Environment } from '../environment.js';
import { note, print } from '../output.js';

const signals = ['SIGINT', 'SIGTERM'] as const;
const EXIT_INTERRUPTED = 130;

interface ChatOptions {
  readonly session?: string;
}

export function addChat(program: Command, environment: Environment): void {
  program
    .command('chat')
    .description('talk with the assistant: it reads an idea in your words, says it back and tests it once you agree')
    .argument('[message]', 'one message; without it, messages are read line by line until the end or "exit"')
    .option('--session <id>', 'go on with a conversation; default: a new one')
    .action(async (message: string | undefined, { session }: ChatOptions) => {
      await converse(environment, message ?? null, session ?? null);
    });
}

async function converse(environment: Environment, message: string | null, session: string | null): Promise<void> {
  const { openLocalService } = await import('../../server/index.js');
  const { askAssistant } = await import('../../mcp/index.js');
  const { ApiError, RpcClient } = await import('../../rpc/index.js');
  const service = await openLocalService(environment, await environment.readServiceConfig());
  const rpc = new RpcClient(service.address);
  const ending = new AbortController();
  const interrupt = () => ending.abort();
  for (const name of signals) process.once(name, interrupt);
  const options = { authorization: `Bearer ${service.key}` };
  let id = session;
  const say = async (text: string): Promise<void> => {
    const answer = await askAssistant(rpc, options, id, text, ending.signal);
    id = answer.session_id;
    for (const line of answer.answer.split('\n')) print(line);
  };
  try {
    if (message !== null) await say(message);
    else await readLines(say, ending);
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

/** Messages of a terminal or a pipe, one a line, until the end, "exit" or Ctrl-C. */
async function readLines(say: (text: string) => Promise<void>, ending: AbortController): Promise<void> {
  const { stdin: input, stdout: output } = process;
  const lines = createInterface({ input, ...(input.isTTY ? { output, prompt: '> ' } : {}) });
  // A terminal in raw mode sends Ctrl-C as a key.
  lines.on('SIGINT', () => ending.abort());
  ending.signal.addEventListener('abort', () => lines.close(), { once: true });
  if (input.isTTY)
    note('Say what you want to test, for example: buy BTC dips on the 4h chart since 2022. "exit" ends.');
  if (input.isTTY) lines.prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text === 'exit' || text === 'quit') break;
    if (text !== '') {
      await say(text);
      print();
    }
    if (input.isTTY && !ending.signal.aborted) lines.prompt();
  }
  lines.close();
}
