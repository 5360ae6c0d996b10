import { any, recently } from '../condition.js';
import type { Rules } from '../signal.js';
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
  longLeggedDoji,
  marubozu,
  morningStar,
  narrowestRange,
  outsideBar,
  piercingLine,
  spinningTop,
  threeBlackCrows,
  threeInsideDown,
  threeInsideUp,
  threeWhiteSoldiers,
  tweezerBottoms,
  tweezerTops,
  twoBarReversalDown,
  twoBarReversalUp,
} from './candle-shapes.js';

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

export const patterns = {
  doji_trigger: ({ body_threshold }) => doji(body_threshold),
  long_legged_doji_trigger: ({ body_threshold, wick_threshold }) => longLeggedDoji(body_threshold, wick_threshold),
  dragonfly_doji_trigger: ({ body_threshold, upper_wick_max }) => dragonflyDoji(body_threshold, upper_wick_max),
  gravestone_doji_trigger: ({ body_threshold, lower_wick_max }) => gravestoneDoji(body_threshold, lower_wick_max),
  marubozu_bullish_trigger: ({ wick_tolerance }) => marubozu(wick_tolerance, isRising),
  marubozu_bearish_trigger: ({ wick_tolerance }) => marubozu(wick_tolerance, isFalling),
  spinning_top_trigger: ({ body_max, wick_min }) => spinningTop(body_max, wick_min),
  bullish_pattern_recent: ({ window }) => recently(window, any(...bullish)),
  bearish_pattern_recent: ({ window }) => recently(window, any(...bearish)),
  reversal_pattern_bullish: ({ window }) => recently(window, any(...bullishReversals)),
  reversal_pattern_bearish: ({ window }) => recently(window, any(...bearishReversals)),
  continuation_pattern_bullish: ({ window }) => recently(window, any(...bullishContinuations)),
  continuation_pattern_bearish: ({ window }) => recently(window, any(...bearishContinuations)),
  indecision_pattern_recent: ({ window }) => recently(window, any(...indecision)),
  strong_body_recent: ({ window }) => recently(window, any(...strongBodies)),
  morning_star_trigger: ({ body_threshold }) => morningStar(body_threshold),
  evening_star_trigger: ({ body_threshold }) => eveningStar(body_threshold),
  three_white_soldiers_trigger: ({ min_body_ratio }) => threeWhiteSoldiers(min_body_ratio),
  three_black_crows_trigger: ({ min_body_ratio }) => threeBlackCrows(min_body_ratio),
  three_inside_up_trigger: () => threeInsideUp,
  three_inside_down_trigger: () => threeInsideDown,
  nr7_trigger: ({ window }) => narrowestRange(window),
  bullish_engulfing_trigger: () => bullishEngulfing,
  bearish_engulfing_trigger: () => bearishEngulfing,
  bullish_harami_trigger: () => bullishHarami,
  bearish_harami_trigger: () => bearishHarami,
  piercing_line_trigger: ({ min_penetration, require_gap }) => piercingLine(min_penetration, require_gap),
  dark_cloud_cover_trigger: ({ min_penetration, require_gap }) => darkCloudCover(min_penetration, require_gap),
  tweezer_tops_trigger: ({ tolerance }) => tweezerTops(tolerance),
  tweezer_bottoms_trigger: ({ tolerance }) => tweezerBottoms(tolerance),
  inside_bar_trigger: () => insideBar,
  outside_bar_trigger: () => outsideBar,
  two_bar_reversal_bullish_trigger: ({ close_proximity }) => twoBarReversalUp(close_proximity),
  two_bar_reversal_bearish_trigger: ({ close_proximity }) => twoBarReversalDown(close_proximity),
  hammer_trigger: ({ wick_ratio, upper_wick_max }) => hammer(wick_ratio, upper_wick_max),
  shooting_star_trigger: ({ wick_ratio, lower_wick_max }) => invertedHammer(wick_ratio, lower_wick_max),
  hanging_man_trigger: ({ wick_ratio, upper_wick_max }) => hammer(wick_ratio, upper_wick_max),
  inverted_hammer_trigger: ({ wick_ratio, lower_wick_max }) => invertedHammer(wick_ratio, lower_wick_max),
  bullish_pin_bar_trigger: ({ wick_ratio, body_position }) => bullishPinBar(wick_ratio, body_position),
  bearish_pin_bar_trigger: ({ wick_ratio, body_position }) => bearishPinBar(wick_ratio, body_position),
} satisfies Partial<Rules>;
