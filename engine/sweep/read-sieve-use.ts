import { mustBe } from '../errors.js';
import type { SieveUse } from './definition.js';
import type { Problems } from './problems.js';

const KEYS = ['order', 'skip_no_trades_above', 'skip_winning_below'];

/** Null when the sweep does not ask for the sieve, or after noting a problem. */
export function readSieveUse(json: unknown, mode: unknown, problems: Problems): SieveUse | null {
  if (json === undefined || json === null) return null;
  if (typeof json !== 'object' || Array.isArray(json)) {
    problems.error(mustBe('sieve', `an object {${KEYS.join(', ')}}`, json));
    return null;
  }
  problems.unknown('sieve', json, KEYS);
  if (mode === 'tpe') problems.error('sieve is for search_mode grid or random: a search by tpe orders its runs itself');
  const {
    order = false,
    skip_no_trades_above: noTradesMax = 1,
    skip_winning_below: winningMin = 0,
  } = json as Readonly<Record<string, unknown>>;
  if (typeof order !== 'boolean') problems.error(mustBe('sieve.order', 'true or false', order));
  const probability = (name: string, value: unknown): number => {
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
    problems.error(mustBe(`sieve.${name}`, '0..1', value));
    return 0;
  };
  const use = {
    order: order === true,
    noTradesMax: probability('skip_no_trades_above', noTradesMax),
    winningMin: probability('skip_winning_below', winningMin),
  };
  if (use.order || use.noTradesMax < 1 || use.winningMin > 0) return use;
  problems.warn('sieve neither orders nor skips, ignored');
  return null;
}
