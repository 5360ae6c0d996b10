/** The process in which `runCliBatch` runs commands. It ends with the process that started it. */
import { pathToFileURL } from 'node:url';
import type { CliBatch, CliRun } from './cli.js';
import { command } from './tree.js';

const own = { ...process.env };
let starts = 0;
process.stdout.setMaxListeners(0); // each start of the program adds one

/** A fresh start of the program, whose output is kept. */
async function run(args: readonly string[]): Promise<CliRun> {
  const text = { stdout: '', stderr: '' };
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (chunk: string | Uint8Array): boolean => {
      text[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
      return true;
    };
  }
  process.argv = [process.execPath, 'barline', ...args];
  process.exitCode = 0;
  try {
    await import(`${pathToFileURL(command).href}?start=${starts++}`);
    return { code: Number(process.exitCode ?? 0), ...text };
  } finally {
    process.exitCode = 0;
    Object.assign(process.stdout, { write: writes.stdout });
    Object.assign(process.stderr, { write: writes.stderr });
  }
}

/** Lets the program see a terminal, or pipes again. */
function pose(terminal: CliBatch['terminal']): void {
  for (const out of [process.stdout, process.stderr]) {
    const isTTY = terminal !== null;
    Object.assign(out, { isTTY, columns: terminal?.columns, hasColors: () => terminal?.hasColors === true });
  }
}

process.on('message', async ({ commands, cwd, env, terminal }: CliBatch) => {
  process.chdir(cwd);
  pose(terminal);
  Object.assign(process.env, env);
  const runs: CliRun[] = [];
  for (const args of commands) runs.push(await run(args));
  for (const name of Object.keys(env)) {
    if (own[name] === undefined) delete process.env[name];
    else process.env[name] = own[name];
  }
  process.send?.(runs);
});
process.on('disconnect', () => process.exit());
