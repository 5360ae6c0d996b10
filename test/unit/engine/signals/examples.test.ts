import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Frame } from '../../../../engine/indicators/frame.js';
import { resolveParams } from '../../../../engine/indicators/params.js';
import { bitIndices } from '../../../../engine/series/bits.js';
import { signalMask } from '../../../../engine/signals/evaluate.js';
import { requireSignal } from '../../../../engine/signals/registry.js';
import { referenceSignal } from '../../../reference/signals.js';
import { barsOf, type PriceRow } from '../../../support/execution.js';
import { signalBars } from '../../../support/reference.js';
import { goldenPath } from '../../../support/tree.js';

interface Example {
  readonly title: string;
  readonly signal: string;
  readonly params: object;
  readonly close: readonly number[];
  readonly columns?: Readonly<Record<string, readonly (number | null)[]>>;
  /** Bars on which the signal is true. */
  readonly true: readonly number[];
}

const { examples }: { examples: Example[] } = JSON.parse(readFileSync(goldenPath('signal-examples.json'), 'utf8'));

for (const { title, signal: name, params: given, close, columns = {}, true: expected } of examples) {
  test(`${name} and its naive version agree with the worked example: ${title}`, () => {
    const bars = {
      ...barsOf(close.map((c): PriceRow => [c, c, c, c])),
      columns: Object.fromEntries(
        Object.entries(columns).map(([key, cells]) => [key, Float64Array.from(cells, (cell) => cell ?? NaN)]),
      ),
    };
    const signal = requireSignal(name);
    // Windows below their bounds keep examples short.
    const params = resolveParams(signal, given, false);
    assert.deepEqual([...bitIndices(signalMask(signal, params, Frame.of(bars)))], expected);
    const answers = referenceSignal(name, params, signalBars(bars));
    assert.deepEqual(
      answers.flatMap((answer, bar) => (answer ? [bar] : [])),
      expected,
    );
  });
}
