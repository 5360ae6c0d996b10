#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { EngineError } from '../engine/errors.js';
import { commands } from './command-table.js';
import { readEnvironment } from './environment.js';
import { addExamples } from './examples.js';
import { firstLine } from './inputs.js';
import { CheckFailed, note, setColor } from './output.js';

const EXIT_BAD_INPUT = 2;
const EXIT_CHECK_FAILED = 3;
const EXIT_BUG = 1;

const environment = readEnvironment();

/**
 * Loads only the code of the command `first`, so that it starts fast; loads all commands when
 * `first` names none of them (help) or is the one that completes them.
 */
async function createProgram(first: string | undefined): Promise<Command> {
  const program = new Command('barline')
    .description('Backtests and signals over real bars')
    .version(environment.version)
    .configureOutput({ outputError: () => {}, writeErr: () => {} }) // `fail` prints the one line
    .option('--no-color', 'print without colours, as with NO_COLOR')
    .hook('preAction', () => {
      if (program.opts().color === false) setColor(false);
    })
    .exitOverride();
  const isNamed = first !== undefined && Object.hasOwn(commands, first) && first !== 'completion'; // it needs all
  // biome-ignore lint/style/noNonNullAssertion: isNamed says that the table has it
  for (const load of isNamed ? [commands[first]!] : Object.values(commands)) {
    const add = await load();
    add(program, environment);
  }
  addExamples(program);
  return program;
}

/**
 * Prints one clear line for a problem that the user can fix, and reports anything else as a bug.
 */
function fail(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0; // help and version
    if (error.code === 'commander.help') {
      note('barline: command is required; --help lists the commands');
      return EXIT_BAD_INPUT;
    }
    note(`barline: ${firstLine(error.message).replace(/^error: /, '')}`);
    return EXIT_BAD_INPUT;
  }
  if (error instanceof CheckFailed) {
    note(`barline: ${error.message}`);
    return EXIT_CHECK_FAILED;
  }
  if (error instanceof EngineError) {
    note(`barline: ${firstLine(error.message)}`);
    return EXIT_BAD_INPUT;
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE' && syscall === 'listen') {
    note(`barline: ${firstLine((error as Error).message)}`);
    return EXIT_BAD_INPUT;
  }
  if (environment.isDebug) console.error(error);
  else note(`barline: internal error: ${firstLine(String(error))} (BARLINE_DEBUG=1 shows where)`);
  return EXIT_BUG;
}

// A reader such as `head` may close the pipe early; that is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT_BUG));

try {
  const program = await createProgram(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  process.exitCode = fail(error);
}
