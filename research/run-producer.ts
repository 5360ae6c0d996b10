import { spawn } from 'node:child_process';
import { EngineError } from '../engine/errors.js';
import { clip } from '../engine/text.js';

const TIMEOUT_MS = 600_000;
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Runs a shell command with JSON on its standard input and reads JSON from its standard output.
 * What it writes to standard error goes to ours.
 *
 * @throws EngineError INVALID_DATA where it fails, takes more than ten minutes or answers no JSON
 */
export async function runProducer(command: string, question: object): Promise<unknown> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'], timeout: TIMEOUT_MS });
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= ANSWER_BYTES_MAX) chunks.push(chunk);
    else child.kill();
  });
  child.stdin.on('error', () => {}); // a command that ends early says so by its exit code
  child.stdin.end(JSON.stringify(question));
  const ended = await new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`));
  });
  const failed = (problem: string) => new EngineError('INVALID_DATA', `the masks command ${problem}: ${command}`);
  if (bytes > ANSWER_BYTES_MAX) throw failed(`answered more than ${ANSWER_BYTES_MAX} bytes`);
  if (ended !== null) throw failed(ended);
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw failed(`must print JSON {"entry": [bars], "exit": [bars]}, printed ${JSON.stringify(clip(text, 80))}`);
  }
}
