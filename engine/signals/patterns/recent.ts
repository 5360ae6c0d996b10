import { any, recently } from '../condition.js';
import { int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';
import {
  bearishEngulfing,
  bearishHarami,
  bearishPinBar,
  bullishEngulfing,
  bullishHarami,
  bullishPinBar,
  darkCloudCover,
  doji,
  dragonflyDoji,
  eveningStar,
  gravestoneDoji,
  hammer,
  insideBar,
  invertedHammer,
  isFalling,
  isRising,
  marubozu,
  morningStar,
  narrowestRange,
  piercingLine,
  spinningTop,
  threeBlackCrows,
  threeInsideDown,
  threeInsideUp,
  threeWhiteSoldiers,
  tweezerBottoms,
  tweezerTops,
} from './shapes.js';

// The filters look for the triggers' shapes at their default parameters, except that no gap is
// required.
const bullishReversals = [
  hammer(2, 0.1),
  invertedHammer(2, 0.1),
  bullishEngulfing,
  piercingLine(0.5, false),
  dragonflyDoji(0.1, 0.1),
  morningStar(0.3),
];
const bearishReversals = [
  hammer(2, 0.1), // the hanging man
  invertedHammer(2, 0.1), // the shooting star
  bearishEngulfing,
  darkCloudCover(0.5, false),
  gravestoneDoji(0.1, 0.1),
  eveningStar(0.3),
];
const bullishContinuations = [threeWhiteSoldiers(0.5), threeInsideUp];
const bearishContinuations = [threeBlackCrows(0.5), threeInsideDown];
const bullish = [
  ...bullishReversals,
  bullishHarami,
  tweezerBottoms(0.01),
  bullishPinBar(2, 0.33),
  ...bullishContinuations,
];
const bearish = [
  ...bearishReversals,
  bearishHarami,
  tweezerTops(0.01),
  bearishPinBar(2, 0.33),
  ...bearishContinuations,
];
const indecision = [doji(0.1), spinningTop(0.3, 0.2), insideBar, narrowestRange(7)];
const strongBodies = [marubozu(0.05, isRising), marubozu(0.05, isFalling)];

const params = { window: int(1, 20, 5) };

export const recentSignals: readonly Signal[] = [
  defineSignal({
    name: 'bullish_pattern_recent',
    category: 'patterns',
    type: 'FILTER',
    family: 'none',
    bias: 'bullish',
    requires: ['Open', 'High', 'Low', 'Close'],
    params: params,
    indicators: ['CANDLE'],
    description: 'True when any bullish candle pattern printed within the window.',
    definition:
      "for some bar i in max(0,t-window+1)..t at least one of these holds at i (with the listed triggers' default parameters except require_gap = false; a test whose earlier bars do not exist counts as false): hammer, inverted_hammer, bullish_engulfing, bullish_harami, piercing_line, dragonfly_doji, tweezer_bottoms, bullish_pin_bar, morning_star, three_white_soldiers, three_inside_up",
    minBars: () => 2,
    condition: ({ window }) => recently(window, any(...bullish)),
  }),
  defineSignal({
    name: 'bearish_pattern_recent',
    category: 'patterns',
    type: 'FILTER',
    family: 'none',
    bias: 'bearish',
    requires: ['Open', 'High', 'Low', 'Close'],
    params: params,
    indicators: ['CANDLE'],
    description: 'True when any bearish candle pattern printed within the window.',
    definition:
      "for some bar i in max(0,t-window+1)..t at least one of these holds at i (with the listed triggers' default parameters except require_gap = false; a test whose earlier bars do not exist counts as false): hanging_man, shooting_star, bearish_engulfing, bearish_harami, dark_cloud_cover, gravestone_doji, tweezer_tops, bearish_pin_bar, evening_star, three_black_crows, three_inside_down",
    minBars: () => 2,
    condition: ({ window }) => recently(window, any(...bearish)),
  }),
  defineSignal({
    name: 'reversal_pattern_bullish',
    category: 'patterns',
    type: 'FILTER',
    family: 'none',
    bias: 'bullish',
    requires: ['Open', 'High', 'Low', 'Close'],
    params: params,
    indicators: ['CANDLE'],
    description: 'True when a bullish reversal pattern printed within the window.',
    definition:
      "for some bar i in max(0,t-window+1)..t at least one of these holds at i (with the listed triggers' default parameters except require_gap = false; a test whose earlier bars do not exist counts as false): hammer, inverted_hammer, bullish_engulfing, piercing_line, dragonfly_doji, morning_star",
    minBars: () => 2,
    condition: ({ window }) => recently(window, any(...bullishReversals)),
  }),
  defineSignal({
    name: 'reversal_pattern_bearish',
    category: 'patterns',
    type: 'FILTER',
    family: 'none',
    bias: 'bearish',
    requires: ['Open', 'High', 'Low', 'Close'],
    params: params,
    indicators: ['CANDLE'],
    description: 'True when a bearish reversal pattern printed within the window.',
    definition:
      "for some bar i in max(0,t-window+1)..t at least one of these holds at i (with the listed triggers' default parameters except require_gap = false; a test whose earlier bars do not exist counts as false): hanging_man, shooting_star, bearish_engulfing, dark_cloud_cover, gravestone_doji, evening_star",
    minBars: () => 2,
    condition: ({ window }) => recently(window, any(...bearishReversals)),
  }),
  defineSignal({
    name: 'continuation_pattern_bullish',
    category: 'patterns',
    type: 'FILTER',
    family: 'none',
    bias: 'bullish',
    requires: ['Open', 'High', 'Low', 'Close'],
    params: params,
    indicators: ['CANDLE'],
    description: 'True when a bullish continuation pattern printed within the window.',
    definition:
      "for some bar i in max(0,t-window+1)..t at least one of these holds at i (with the listed triggers' default parameters except require_gap = false; a test whose earlier bars do not exist counts as false): three_white_soldiers, three_inside_up",
    minBars: () => 3,
    condition: ({ window }) => recently(window, any(...bullishContinuations)),
  }),
  defineSignal({
    name: 'continuation_pattern_bearish',
    category: 'patterns',
    type: 'FILTER',
    family: 'none',
    bias: 'bearish',
    requires: ['Open', 'High', 'Low', 'Close'],
    params: params,
    indicators: ['CANDLE'],
    description: 'True when a bearish continuation pattern printed within the window.',
    definition:
      "for some bar i in max(0,t-window+1)..t at least one of these holds at i (with the listed triggers' default parameters except require_gap = false; a test whose earlier bars do not exist counts as false): three_black_crows, three_inside_down",
    minBars: () => 3,
    condition: ({ window }) => recently(window, any(...bearishContinuations)),
  }),
  defineSignal({
    name: 'indecision_pattern_recent',
    category: 'patterns',
    type: 'FILTER',
    family: 'none',
    bias: 'neutral',
    requires: ['Open', 'High', 'Low', 'Close'],
    params: params,
    indicators: ['CANDLE'],
    description: 'True when an indecision pattern printed within the window.',
    definition:
      "for some bar i in max(0,t-window+1)..t at least one of these holds at i (with the listed triggers' default parameters except require_gap = false; a test whose earlier bars do not exist counts as false): doji, spinning_top, inside_bar, nr7 (window 7)",
    minBars: () => 2,
    condition: ({ window }) => recently(window, any(...indecision)),
  }),
  defineSignal({
    name: 'strong_body_recent',
    category: 'patterns',
    type: 'FILTER',
    family: 'none',
    bias: 'neutral',
    requires: ['Open', 'High', 'Low', 'Close'],
    params: params,
    indicators: ['CANDLE'],
    description: 'True when a marubozu of either colour printed within the window.',
    definition:
      "for some bar i in max(0,t-window+1)..t at least one of these holds at i (with the listed triggers' default parameters except require_gap = false; a test whose earlier bars do not exist counts as false): marubozu_bullish, marubozu_bearish",
    minBars: () => 1,
    condition: ({ window }) => recently(window, any(...strongBodies)),
  }),
];
