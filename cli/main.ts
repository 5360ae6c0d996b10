#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { EngineError } from '../engine/index.js';
import { addAudit } from './commands/audit.js';
import { addBacktest } from './commands/backtest.js';
import { addCompare } from './commands/compare.js';
import { addData } from './commands/data.js';
import { addDemo } from './commands/demo.js';
import { addDoctor } from './commands/doctor.js';
import { addReplay } from './commands/replay.js';
import { addResults } from './commands/results.js';
import { addSignals } from './commands/signals.js';
import { addSimulate } from './commands/simulate.js';
import { addSweep } from './commands/sweep.js';
import { readEnvironment } from './environment.js';
import { firstLine } from './inputs.js';
import { CheckFailed, note } from './output.js';

const EXIT_BAD_INPUT = 2;
const EXIT_CHECK_FAILED = 3;
const EXIT_BUG = 1;

const environment = readEnvironment();

function createProgram(): Command {
  const program = new Command('barline')
    .description('Backtests and signals over real bars')
    .version(environment.version)
    .configureOutput({ outputError: () => {}, writeErr: () => {} }) // the one line comes from `fail`
    .exitOverride();
  addBacktest(program, environment);
  addAudit(program, environment);
  addReplay(program, environment);
  addCompare(program, environment);
  addSweep(program, environment);
  addResults(program, environment);
  addSimulate(program);
  addSignals(program);
  addData(program, environment);
  addDemo(program, environment);
  addDoctor(program, environment);
  return program;
}

/** One clear line for what the user can mend; anything else is a bug of ours and says so. */
function fail(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0; // help and version
    if (error.code === 'commander.help') {
      note('barline: a command is missing, --help lists them');
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
  if (environment.isDebug) console.error(error);
  else note(`barline: internal error: ${firstLine(String(error))} (BARLINE_DEBUG=1 shows where)`);
  return EXIT_BUG;
}

// A reader that has seen enough (`| head`) closes the pipe; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT_BUG));

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = fail(error);
}
