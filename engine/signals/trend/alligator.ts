import { medianPrice } from '../../indicators/arithmetic.js';
import { RMA } from '../../indicators/smoothing.js';
import type { Condition } from '../condition.js';
import { above, ago, all, below, noneOf } from '../condition.js';
import { int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

interface Mouth {
  readonly jaw: number;
  readonly teeth: number;
  readonly lips: number;
  readonly jaw_offset: number;
  readonly teeth_offset: number;
  readonly lips_offset: number;
}

/** The three lines, each read its own offset of bars earlier. */
const linesOf = (mouth: Mouth) => ({
  jaw: ago(RMA(medianPrice, mouth.jaw), mouth.jaw_offset),
  teeth: ago(RMA(medianPrice, mouth.teeth), mouth.teeth_offset),
  lips: ago(RMA(medianPrice, mouth.lips), mouth.lips_offset),
});

const opensUp = (mouth: Mouth): Condition => {
  const { jaw, teeth, lips } = linesOf(mouth);
  return all(above(lips, teeth), above(teeth, jaw));
};
const opensDown = (mouth: Mouth): Condition => {
  const { jaw, teeth, lips } = linesOf(mouth);
  return all(below(lips, teeth), below(teeth, jaw));
};

const params = {
  jaw: int(5, 50, 13),
  teeth: int(3, 30, 8),
  lips: int(2, 20, 5),
  jaw_offset: int(0, 20, 8),
  teeth_offset: int(0, 15, 5),
  lips_offset: int(0, 10, 3),
};

export const alligatorSignals: readonly Signal[] = [
  defineSignal({
    name: 'alligator_bullish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low'],
    params: params,
    indicators: ['ALLIGATOR', 'SMMA', 'RMA'],
    description: 'True while the alligator lines are stacked upward.',
    definition: 'lips[t] > teeth[t] and teeth[t] > jaw[t]',
    minBars: ({ jaw, jaw_offset }) => jaw + jaw_offset + 1,
    condition: opensUp,
  }),
  defineSignal({
    name: 'alligator_bearish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['High', 'Low'],
    params: params,
    indicators: ['ALLIGATOR', 'SMMA', 'RMA'],
    description: 'True while the alligator lines are stacked downward.',
    definition: 'lips[t] < teeth[t] and teeth[t] < jaw[t]',
    minBars: ({ jaw, jaw_offset }) => jaw + jaw_offset + 1,
    condition: opensDown,
  }),
  defineSignal({
    name: 'alligator_sleeping',
    category: 'trend',
    type: 'FILTER',
    family: 'none',
    bias: 'neutral',
    requires: ['High', 'Low'],
    params: params,
    indicators: ['ALLIGATOR', 'SMMA', 'RMA'],
    description: 'True while the alligator lines are not strictly stacked.',
    definition: 'all three lines are non-NaN and neither (lips > teeth > jaw) nor (lips < teeth < jaw) holds at t',
    minBars: ({ jaw, jaw_offset }) => jaw + jaw_offset + 1,
    condition: (mouth) => noneOf(Object.values(linesOf(mouth)), opensUp(mouth), opensDown(mouth)),
  }),
];
