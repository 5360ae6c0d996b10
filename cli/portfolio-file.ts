import { dirname, resolve } from 'node:path';
import { EngineError } from '../engine/errors.js';
import type { PortfolioRequest } from '../research/portfolio/index.js';
import { readConfig, readJson } from './inputs.js';
import { type RunOptions, readWindow } from './run-options.js';

/** The portfolio of a file, whose members may name the files of their strategies. */
export const readPortfolio = async (file: string): Promise<unknown> =>
  withStrategies(await readJson(file, 'portfolio'), dirname(file));

/** Options of a command that runs a strategy, and that a portfolio leaves to its members. */
const ofMembers = ['strategy', 'asset', 'bars', 'signals'] as const satisfies readonly (keyof RunOptions)[];

/**
 * What a run of the portfolio of a file is, with the options of a command that runs strategies too.
 * @throws EngineError for an option that a portfolio does not have
 */
export async function readPortfolioRequest(file: string, options: RunOptions): Promise<PortfolioRequest> {
  const { interval } = options;
  for (const field of ofMembers) {
    if (options[field] === undefined) continue;
    throw new EngineError('INVALID_FIELD', `${field} must be left out with a portfolio`, { field });
  }
  return {
    portfolio: await readPortfolio(file),
    interval,
    window: readWindow(options),
    config: await readConfig(options.config ?? []),
  };
}

/** Reads the strategies that a portfolio names by the path of their file, from its own folder. */
export async function withStrategies(portfolio: unknown, folder: string): Promise<unknown> {
  if (typeof portfolio !== 'object' || portfolio === null) return portfolio;
  const { members } = portfolio as { members?: unknown };
  if (!Array.isArray(members)) return portfolio;
  const read = members.map(async (member: unknown) => {
    if (typeof member !== 'object' || member === null) return member;
    const { strategy } = member as { strategy?: unknown };
    if (typeof strategy !== 'string') return member;
    return { ...member, strategy: await readJson(resolve(folder, strategy), 'strategy') };
  });
  return { ...portfolio, members: await Promise.all(read) };
}
