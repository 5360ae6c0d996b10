import assert from 'node:assert/strict';

/** Runs that an independent implementation computed, against what `barline simulate` answers. */

type Values = Readonly<Record<string, unknown>>;

/** Equal to 1e-9, and to the last of the ten decimals that are printed. */
export function assertSame(actual: unknown, expected: unknown, label: string): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const tolerance = 1e-9 * Math.max(1, Math.abs(expected));
    assert.ok(Math.abs(actual - expected) <= tolerance, `${label}: ${actual} is not ${expected}`);
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    assert.equal(actual.length, expected.length, label);
    for (const [i, value] of expected.entries()) assertSame(actual[i], value, `${label}[${i}]`);
  } else if (typeof expected === 'object' && expected !== null) {
    for (const [key, value] of Object.entries(expected)) {
      assertSame((actual as Values)[key], value, `${label}.${key}`);
    }
  } else assert.equal(actual, expected, label);
}

const names: Values = { entry_bar: 'entry_bar_index', exit_bar: 'exit_bar_index' };
/** Values that every trade of a run shows, be they null. */
const always = ['side', 'exit_reason', 'entry_price', 'exit_price', 'position_size', 'profit_loss'];

/**
 * @param trades as they are shown
 * @param expected values in the order of `keys`
 */
export function assertTrades(
  trades: readonly Values[],
  expected: readonly (readonly unknown[])[],
  keys: readonly string[],
): void {
  assert.equal(trades.length, expected.length);
  for (const [i, trade] of expected.entries()) {
    const shown: Values = trades[i] ?? {};
    for (const [k, value] of trade.entries()) {
      const key = keys[k] ?? '';
      const name = String(names[key] ?? key);
      const isShown = name in shown || always.includes(name);
      if (isShown && !(value === null && shown[name] === undefined)) {
        assertSame(shown[name], value, `trade ${i} ${name}`);
      } else assert.ok(value === null || value === 0 || name === 'initial_stop_price', `trade ${i} shows ${name}`);
    }
  }
}
