import type { Command } from 'commander';
import { EngineError } from '../engine/errors.js';

/** Of the commands that run a strategy whose rules may be refused. */
export interface RefusalOptions {
  readonly allowDenied?: boolean;
}

export const addRefusalOption = (command: Command): Command =>
  command.option('--allow-denied', 'end with 0 although rules were refused: the side of each is false');

/**
 * Ends the command with exit code 2 where rules were refused, once its answer is printed.
 * @param refused a line each
 */
export function refuseUnlessAllowed(refused: readonly string[], { allowDenied }: RefusalOptions): void {
  const [first, ...others] = refused;
  if (first === undefined || allowDenied === true) return;
  const rest = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new EngineError('INVALID_STRATEGY', `refused ${first}${rest}; --allow-denied ends with 0 all the same`);
}
