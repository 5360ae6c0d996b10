import { resolve } from 'node:path';
import { readJson } from './inputs.js';

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
