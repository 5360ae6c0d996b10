import { meanOf } from './indicators.js';
import {
  and,
  ge,
  gt,
  le,
  lt,
  never,
  number,
  or,
  type Params,
  type ReferenceBars,
  type Rule,
  raw,
  type SignalDefinition,
  type SignalTable,
} from './signals-truth.js';

type Shape = (bars: ReferenceBars, p: Params) => Rule;

/**
 * A shape on `bars` bars; false where earlier bars do not exist, which matters inside the look-back
 * filters.
 */
const shape =
  (barCount: number, test: (bars: ReferenceBars, p: Params, t: number) => ReturnType<Rule>): Shape =>
  (bars, p) =>
  (t) =>
    t < barCount - 1 ? never : test(bars, p, t);

const body = ({ open, close }: ReferenceBars, t: number) => Math.abs(close[t] - open[t]);
const range = ({ high, low }: ReferenceBars, t: number) => high[t] - low[t];
const upperWick = ({ open, high, close }: ReferenceBars, t: number) => high[t] - Math.max(open[t], close[t]);
const lowerWick = ({ open, low, close }: ReferenceBars, t: number) => Math.min(open[t], close[t]) - low[t];
const rises = ({ open, close }: ReferenceBars, t: number) => close[t] > open[t];
const falls = ({ open, close }: ReferenceBars, t: number) => close[t] < open[t];
const hasRange = (bars: ReferenceBars, t: number) => raw(range(bars, t) > 0);
const hasBody = (bars: ReferenceBars, t: number) => raw(body(bars, t) > 0);

const smallBody = (bars: ReferenceBars, t: number, part: number) => le(body(bars, t), part * range(bars, t));

const doji = shape(1, (b, p, t) => and(hasRange(b, t), smallBody(b, t, number(p, 'body_threshold'))));

const longLeggedDoji = shape(1, (b, p, t) => {
  const least = number(p, 'wick_threshold') * range(b, t);
  return and(
    hasRange(b, t),
    smallBody(b, t, number(p, 'body_threshold')),
    ge(upperWick(b, t), least),
    ge(lowerWick(b, t), least),
  );
});

const dragonflyDoji = shape(1, (b, p, t) =>
  and(
    hasRange(b, t),
    smallBody(b, t, number(p, 'body_threshold')),
    le(upperWick(b, t), number(p, 'upper_wick_max') * range(b, t)),
    gt(lowerWick(b, t), body(b, t)),
  ),
);

const gravestoneDoji = shape(1, (b, p, t) =>
  and(
    hasRange(b, t),
    smallBody(b, t, number(p, 'body_threshold')),
    le(lowerWick(b, t), number(p, 'lower_wick_max') * range(b, t)),
    gt(upperWick(b, t), body(b, t)),
  ),
);

const hammer = shape(1, (b, p, t) =>
  and(
    hasBody(b, t),
    ge(lowerWick(b, t), number(p, 'wick_ratio') * body(b, t)),
    le(upperWick(b, t), number(p, 'upper_wick_max') * body(b, t)),
  ),
);

const invertedHammer = shape(1, (b, p, t) =>
  and(
    hasBody(b, t),
    ge(upperWick(b, t), number(p, 'wick_ratio') * body(b, t)),
    le(lowerWick(b, t), number(p, 'lower_wick_max') * body(b, t)),
  ),
);

const marubozu = (direction: typeof rises) =>
  shape(1, (b, p, t) => {
    const most = number(p, 'wick_tolerance') * range(b, t);
    return and(hasRange(b, t), le(upperWick(b, t), most), le(lowerWick(b, t), most), raw(direction(b, t)));
  });

const spinningTop = shape(1, (b, p, t) => {
  const least = number(p, 'wick_min') * range(b, t);
  return and(
    hasRange(b, t),
    smallBody(b, t, number(p, 'body_max')),
    ge(upperWick(b, t), least),
    ge(lowerWick(b, t), least),
  );
});

const bullishEngulfing = shape(2, (b, _, t) => {
  const { open, close } = b;
  return raw(falls(b, t - 1) && rises(b, t) && open[t] < close[t - 1] && close[t] > open[t - 1]);
});

const bearishEngulfing = shape(2, (b, _, t) => {
  const { open, close } = b;
  return raw(rises(b, t - 1) && falls(b, t) && open[t] > close[t - 1] && close[t] < open[t - 1]);
});

const bullishHarami = shape(2, (b, _, t) => {
  const { open, close } = b;
  return raw(falls(b, t - 1) && rises(b, t) && open[t] > close[t - 1] && close[t] < open[t - 1]);
});

const bearishHarami = shape(2, (b, _, t) => {
  const { open, close } = b;
  return raw(rises(b, t - 1) && falls(b, t) && open[t] < close[t - 1] && close[t] > open[t - 1]);
});

const piercingLine = shape(2, (b, p, t) => {
  const { open, low, close } = b;
  const edge = p.require_gap === true ? low[t - 1] : close[t - 1];
  return and(
    raw(falls(b, t - 1) && rises(b, t) && open[t] < edge),
    gt(close[t], close[t - 1] + number(p, 'min_penetration') * (open[t - 1] - close[t - 1])),
  );
});

const darkCloudCover = shape(2, (b, p, t) => {
  const { open, high, close } = b;
  const edge = p.require_gap === true ? high[t - 1] : close[t - 1];
  return and(
    raw(rises(b, t - 1) && falls(b, t) && open[t] > edge),
    lt(close[t], close[t - 1] - number(p, 'min_penetration') * (close[t - 1] - open[t - 1])),
  );
});

/** Shorter at the start of the data. */
const averageRange = (b: ReferenceBars, t: number) => {
  const ranges: number[] = [];
  for (let i = Math.max(0, t - 19); i <= t; i++) ranges.push(range(b, i));
  return meanOf(ranges);
};

const tweezerTops = shape(2, (b, p, t) =>
  and(
    raw(rises(b, t - 1) && falls(b, t)),
    le(Math.abs(b.high[t] - b.high[t - 1]), number(p, 'tolerance') * averageRange(b, t)),
  ),
);

const tweezerBottoms = shape(2, (b, p, t) =>
  and(
    raw(falls(b, t - 1) && rises(b, t)),
    le(Math.abs(b.low[t] - b.low[t - 1]), number(p, 'tolerance') * averageRange(b, t)),
  ),
);

const morningStar = shape(3, (b, p, t) =>
  and(
    raw(falls(b, t - 2) && rises(b, t)),
    smallBody(b, t - 1, number(p, 'body_threshold')),
    gt(b.close[t], (b.open[t - 2] + b.close[t - 2]) / 2),
  ),
);

const eveningStar = shape(3, (b, p, t) =>
  and(
    raw(rises(b, t - 2) && falls(b, t)),
    smallBody(b, t - 1, number(p, 'body_threshold')),
    lt(b.close[t], (b.open[t - 2] + b.close[t - 2]) / 2),
  ),
);

const largeBody = (b: ReferenceBars, p: Params, t: number) => ge(body(b, t), number(p, 'min_body_ratio') * range(b, t));

const threeWhiteSoldiers = shape(3, (b, p, t) => {
  const { open, close } = b;
  return and(
    raw(rises(b, t - 2) && rises(b, t - 1) && rises(b, t)),
    raw(close[t - 2] < close[t - 1] && close[t - 1] < close[t]),
    raw(open[t - 2] <= open[t - 1] && open[t - 1] <= close[t - 2]),
    raw(open[t - 1] <= open[t] && open[t] <= close[t - 1]),
    largeBody(b, p, t - 2),
    largeBody(b, p, t - 1),
    largeBody(b, p, t),
  );
});

const threeBlackCrows = shape(3, (b, p, t) => {
  const { open, close } = b;
  return and(
    raw(falls(b, t - 2) && falls(b, t - 1) && falls(b, t)),
    raw(close[t - 2] > close[t - 1] && close[t - 1] > close[t]),
    raw(close[t - 2] <= open[t - 1] && open[t - 1] <= open[t - 2]),
    raw(close[t - 1] <= open[t] && open[t] <= open[t - 1]),
    largeBody(b, p, t - 2),
    largeBody(b, p, t - 1),
    largeBody(b, p, t),
  );
});

const threeInsideUp = shape(3, (b, _, t) => {
  const { open, close } = b;
  return raw(
    falls(b, t - 2) &&
      rises(b, t - 1) &&
      open[t - 1] > close[t - 2] &&
      close[t - 1] < open[t - 2] &&
      rises(b, t) &&
      close[t] > open[t - 2],
  );
});

const threeInsideDown = shape(3, (b, _, t) => {
  const { open, close } = b;
  return raw(
    rises(b, t - 2) &&
      falls(b, t - 1) &&
      open[t - 1] < close[t - 2] &&
      close[t - 1] > open[t - 2] &&
      falls(b, t) &&
      close[t] < open[t - 2],
  );
});

const insideBar = shape(2, ({ high, low }, _, t) => raw(high[t] < high[t - 1] && low[t] > low[t - 1]));
const outsideBar = shape(2, ({ high, low }, _, t) => raw(high[t] > high[t - 1] && low[t] < low[t - 1]));

const bullishPinBar = shape(1, (b, p, t) =>
  and(
    hasBody(b, t),
    ge(lowerWick(b, t), number(p, 'wick_ratio') * body(b, t)),
    gt(Math.min(b.open[t], b.close[t]), b.low[t] + (1 - number(p, 'body_position')) * range(b, t)),
  ),
);

const bearishPinBar = shape(1, (b, p, t) =>
  and(
    hasBody(b, t),
    ge(upperWick(b, t), number(p, 'wick_ratio') * body(b, t)),
    lt(Math.max(b.open[t], b.close[t]), b.high[t] - (1 - number(p, 'body_position')) * range(b, t)),
  ),
);

const twoBarReversalBullish = shape(2, (b, p, t) => {
  const near = number(p, 'close_proximity');
  return and(
    raw(falls(b, t - 1) && rises(b, t) && b.low[t] <= b.low[t - 1] && b.close[t] > b.open[t - 1]),
    le(b.close[t - 1] - b.low[t - 1], near * range(b, t - 1)),
    le(b.high[t] - b.close[t], near * range(b, t)),
  );
});

const twoBarReversalBearish = shape(2, (b, p, t) => {
  const near = number(p, 'close_proximity');
  return and(
    raw(rises(b, t - 1) && falls(b, t) && b.high[t] >= b.high[t - 1] && b.close[t] < b.open[t - 1]),
    le(b.high[t - 1] - b.close[t - 1], near * range(b, t - 1)),
    le(b.close[t] - b.low[t], near * range(b, t)),
  );
});

const narrowestRange: Shape = (b, p) => (t) => {
  const window = number(p, 'window');
  if (t < window - 1) return never;
  const tests = [];
  for (let i = t - window + 1; i < t; i++) tests.push(lt(range(b, t), range(b, i)));
  return and(raw(!Number.isNaN(range(b, t))), ...tests);
};

const trigger = (minBars: number, rule: Shape): SignalDefinition => ({ minBars: () => minBars, rule });

/**
 * True where a bar of the look-back shows one of the shapes, each with its own defaults and without
 * a gap.
 */
const recent = (minBars: number, shapes: [Shape, Params][]): SignalDefinition => ({
  minBars: () => minBars,
  rule: (bars, p) => {
    const rules = shapes.map(([rule, defaults]) => rule(bars, defaults));
    return (t) => {
      const tests = [];
      for (let i = Math.max(0, t - number(p, 'window') + 1); i <= t; i++) {
        for (const rule of rules) tests.push(rule(i));
      }
      return or(...tests);
    };
  },
});

const HAMMER: [Shape, Params] = [hammer, { wick_ratio: 2, upper_wick_max: 0.1 }];
const INVERTED_HAMMER: [Shape, Params] = [invertedHammer, { wick_ratio: 2, lower_wick_max: 0.1 }];
const PIERCING_LINE: [Shape, Params] = [piercingLine, { min_penetration: 0.5, require_gap: false }];
const DARK_CLOUD_COVER: [Shape, Params] = [darkCloudCover, { min_penetration: 0.5, require_gap: false }];
const DRAGONFLY_DOJI: [Shape, Params] = [dragonflyDoji, { body_threshold: 0.1, upper_wick_max: 0.1 }];
const GRAVESTONE_DOJI: [Shape, Params] = [gravestoneDoji, { body_threshold: 0.1, lower_wick_max: 0.1 }];
const MORNING_STAR: [Shape, Params] = [morningStar, { body_threshold: 0.3 }];
const EVENING_STAR: [Shape, Params] = [eveningStar, { body_threshold: 0.3 }];
const WHITE_SOLDIERS: [Shape, Params] = [threeWhiteSoldiers, { min_body_ratio: 0.5 }];
const BLACK_CROWS: [Shape, Params] = [threeBlackCrows, { min_body_ratio: 0.5 }];
const PIN_BAR_DEFAULTS: Params = { wick_ratio: 2, body_position: 0.33 };

export const patternSignals: SignalTable = {
  doji_trigger: trigger(1, doji),
  long_legged_doji_trigger: trigger(1, longLeggedDoji),
  dragonfly_doji_trigger: trigger(1, dragonflyDoji),
  gravestone_doji_trigger: trigger(1, gravestoneDoji),
  hammer_trigger: trigger(1, hammer),
  shooting_star_trigger: trigger(1, invertedHammer),
  hanging_man_trigger: trigger(1, hammer),
  inverted_hammer_trigger: trigger(1, invertedHammer),
  marubozu_bullish_trigger: trigger(1, marubozu(rises)),
  marubozu_bearish_trigger: trigger(1, marubozu(falls)),
  spinning_top_trigger: trigger(1, spinningTop),
  bullish_engulfing_trigger: trigger(2, bullishEngulfing),
  bearish_engulfing_trigger: trigger(2, bearishEngulfing),
  bullish_harami_trigger: trigger(2, bullishHarami),
  bearish_harami_trigger: trigger(2, bearishHarami),
  piercing_line_trigger: trigger(2, piercingLine),
  dark_cloud_cover_trigger: trigger(2, darkCloudCover),
  tweezer_tops_trigger: trigger(2, tweezerTops),
  tweezer_bottoms_trigger: trigger(2, tweezerBottoms),
  morning_star_trigger: trigger(3, morningStar),
  evening_star_trigger: trigger(3, eveningStar),
  three_white_soldiers_trigger: trigger(3, threeWhiteSoldiers),
  three_black_crows_trigger: trigger(3, threeBlackCrows),
  three_inside_up_trigger: trigger(3, threeInsideUp),
  three_inside_down_trigger: trigger(3, threeInsideDown),
  inside_bar_trigger: trigger(2, insideBar),
  outside_bar_trigger: trigger(2, outsideBar),
  bullish_pin_bar_trigger: trigger(1, bullishPinBar),
  bearish_pin_bar_trigger: trigger(1, bearishPinBar),
  two_bar_reversal_bullish_trigger: trigger(2, twoBarReversalBullish),
  two_bar_reversal_bearish_trigger: trigger(2, twoBarReversalBearish),
  nr7_trigger: { minBars: (p) => number(p, 'window'), rule: narrowestRange },
  bullish_pattern_recent: recent(2, [
    HAMMER,
    INVERTED_HAMMER,
    [bullishEngulfing, {}],
    [bullishHarami, {}],
    PIERCING_LINE,
    DRAGONFLY_DOJI,
    [tweezerBottoms, { tolerance: 0.01 }],
    [bullishPinBar, PIN_BAR_DEFAULTS],
    MORNING_STAR,
    WHITE_SOLDIERS,
    [threeInsideUp, {}],
  ]),
  bearish_pattern_recent: recent(2, [
    HAMMER,
    INVERTED_HAMMER,
    [bearishEngulfing, {}],
    [bearishHarami, {}],
    DARK_CLOUD_COVER,
    GRAVESTONE_DOJI,
    [tweezerTops, { tolerance: 0.01 }],
    [bearishPinBar, PIN_BAR_DEFAULTS],
    EVENING_STAR,
    BLACK_CROWS,
    [threeInsideDown, {}],
  ]),
  reversal_pattern_bullish: recent(2, [
    HAMMER,
    INVERTED_HAMMER,
    [bullishEngulfing, {}],
    PIERCING_LINE,
    DRAGONFLY_DOJI,
    MORNING_STAR,
  ]),
  reversal_pattern_bearish: recent(2, [
    HAMMER,
    INVERTED_HAMMER,
    [bearishEngulfing, {}],
    DARK_CLOUD_COVER,
    GRAVESTONE_DOJI,
    EVENING_STAR,
  ]),
  continuation_pattern_bullish: recent(3, [WHITE_SOLDIERS, [threeInsideUp, {}]]),
  continuation_pattern_bearish: recent(3, [BLACK_CROWS, [threeInsideDown, {}]]),
  indecision_pattern_recent: recent(2, [
    [doji, { body_threshold: 0.1 }],
    [spinningTop, { body_max: 0.3, wick_min: 0.2 }],
    [insideBar, {}],
    [narrowestRange, { window: 7 }],
  ]),
  strong_body_recent: recent(1, [
    [marubozu(rises), { wick_tolerance: 0.05 }],
    [marubozu(falls), { wick_tolerance: 0.05 }],
  ]),
};
