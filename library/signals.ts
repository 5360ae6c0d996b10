import { sha256 } from '../data/hashes/index.js';
import { canonicalJson } from '../engine/canonical-json.js';
import { checkOwnSignals, type OwnSignal } from '../engine/signals/index.js';
import type { OwnSignals } from '../research/backtest/index.js';

/**
 * Signals at hand, for a run. Their hash covers what the definitions say and not the values that
 * their functions close over.
 */
export function toOwnSignals(given: readonly OwnSignal[] | undefined): OwnSignals | undefined {
  if (given === undefined || given.length === 0) return undefined;
  const signals = checkOwnSignals(given, 'signals');
  const texts = signals.map(({ name, type, params, text }) => [name, type, params, text]);
  return { signals, from: 'code', hash: sha256(canonicalJson(texts)), modules: [] };
}
