import type { Command } from 'commander';
import { EngineError } from '../engine/errors.js';

/** Shared by the commands that run a strategy whose rules may be refused. */
export interface RefusalOptions {
  readonly allowDenied?: boolean;
}

export const addRefusalOption = (command: Command): Command =>
  command.option('--allow-denied', 'exit with 0 even if rules were refused; a side with a refused rule is never true');

/**
 * Ends the command with exit code 2 if rules were refused. Called after the answer is printed.
 * @param refused one line per refused rule
 */
export function refuseUnlessAllowed(refused: readonly string[], { allowDenied }: RefusalOptions): void {
  const [first, ...others] = refused;
  if (first === undefined || allowDenied === true) return;
  const rest = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new EngineError('INVALID_STRATEGY', `refused ${first}${rest}; --allow-denied exits with 0 anyway`);
}
