#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { hasMovesLeft } from '../data/moves-left.js';
import { missingPackage } from '../data/package/index.js';
import { EngineError } from '../engine/errors.js';
import { commands } from './command-table.js';
import { readEnvironment } from './environment.js';
import { addExamples } from './examples.js';
import { firstLine } from './inputs.js';
import { addListed, commandList } from './listed-commands.js';
import { CheckFailed, note, print, withoutColor } from './output.js';
import { systemFault } from './system-errors.js';

const EXIT_BAD_INPUT = 2;
const EXIT_CHECK_FAILED = 3;
const EXIT_BUG = 1;

const environment = readEnvironment();
/** Commands that need all the others. */
const namingOthers: readonly string[] = ['completion', 'help'];

/** Asks for the list that `addListed` reads; only the build does. */
const LIST_COMMANDS = '--list-commands';

/**
 * Loads only the code of the command `first`, so that it starts fast; none for the help, and all
 * commands when `first` names none of them or is one that needs the others.
 */
async function createProgram(first: string | undefined): Promise<Command> {
  const program = new Command('barline')
    .description('Backtests and signals over real bars')
    .version(environment.version)
    .configureOutput({ outputError: () => {}, writeErr: () => {} }) // `fail` prints the one line
    .option('--no-color', 'print without colours, as with NO_COLOR')
    .hook('preAction', async () => {
      if (program.opts().color === false) withoutColor();
      if (!hasMovesLeft(environment.home)) return;
      const { settleHome } = await import('../data/state/embedded/index.js'); // it is seldom needed
      await settleHome(environment.home);
    })
    .helpCommand(false) // `help` is a command of ours, which knows topics too
    .exitOverride();
  const isNamed = first !== undefined && Object.hasOwn(commands, first) && !namingOthers.includes(first);
  const isVersion = first === '--version' || first === '-V'; // it needs none
  const isHelp = first === undefined || first === '--help' || first === '-h';
  if (isHelp && addListed(program)) {
    addExamples(program);
    return program;
  }
  for (const [name, load] of Object.entries(commands)) {
    if (isVersion || (isNamed && name !== first)) continue;
    try {
      const add = await load();
      add(program, environment);
    } catch (error) {
      const missing = missingPackage(error);
      if (isNamed || missing === null) throw error;
      program.command(name).description(missing.message); // help lists it beside the others
    }
  }
  addExamples(program);
  return program;
}

/**
 * Prints one clear line for a problem that the user can fix, and reports anything else as a bug.
 */
async function fail(error: unknown): Promise<number> {
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
  const known = error instanceof EngineError ? error : missingPackage(error);
  if (known !== null) {
    note(`barline: ${firstLine(known.message)}`);
    return EXIT_BAD_INPUT;
  }
  const fault = await systemFault(error, environment);
  if (fault !== null && !environment.isDebug) {
    note(`barline: ${firstLine(fault)}`);
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
  if (process.argv[2] === LIST_COMMANDS) print(commandList(program));
  else await program.parseAsync();
} catch (error) {
  process.exitCode = await fail(error);
}
