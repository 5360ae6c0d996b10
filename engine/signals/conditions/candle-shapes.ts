import { ABSOLUTE, barRange, CHANGE, COMBINE, SUBTRACT } from '../../indicators/arithmetic.js';
import { averageRange, body, bodyBottom, bodyTop, lowerWick, upperWick } from '../../indicators/candles.js';
import { type Column, close, high, low, open } from '../../indicators/column.js';
import { MIN } from '../../indicators/rolling.js';
import { above, ago, all, atLeast, atMost, below, type Condition, earlier, times } from '../condition.js';

/*
 * Candle shapes as conditions. Thresholds multiply; nothing divides. A bar whose close equals its
 * open is neither rising nor falling. A bar without range is not a doji, marubozu or spinning top;
 * a bar without body is not a hammer or pin bar.
 */

export const isRising: Condition = above(close, open);
export const isFalling: Condition = below(close, open);
const wasRising = earlier(1, isRising);
const wasFalling = earlier(1, isFalling);
const hasRange = above(barRange, 0);
const hasBody = above(body, 0);

const open1 = ago(open, 1);
const close1 = ago(close, 1);
const open2 = ago(open, 2);
const close2 = ago(close, 2);

export const doji = (bodyMax: number): Condition => all(hasRange, atMost(body, times(bodyMax, barRange)));

export const longLeggedDoji = (bodyMax: number, wickMin: number): Condition =>
  all(doji(bodyMax), atLeast(upperWick, times(wickMin, barRange)), atLeast(lowerWick, times(wickMin, barRange)));

export const dragonflyDoji = (bodyMax: number, upperWickMax: number): Condition =>
  all(doji(bodyMax), atMost(upperWick, times(upperWickMax, barRange)), above(lowerWick, body));

export const gravestoneDoji = (bodyMax: number, lowerWickMax: number): Condition =>
  all(doji(bodyMax), atMost(lowerWick, times(lowerWickMax, barRange)), above(upperWick, body));

/** Also the hanging man: the shape alone counts, no trend before it. */
export const hammer = (wickRatio: number, upperWickMax: number): Condition =>
  all(hasBody, atLeast(lowerWick, times(wickRatio, body)), atMost(upperWick, times(upperWickMax, body)));

/** Also the shooting star. */
export const invertedHammer = (wickRatio: number, lowerWickMax: number): Condition =>
  all(hasBody, atLeast(upperWick, times(wickRatio, body)), atMost(lowerWick, times(lowerWickMax, body)));

export const marubozu = (tolerance: number, direction: Condition): Condition =>
  all(
    hasRange,
    atMost(upperWick, times(tolerance, barRange)),
    atMost(lowerWick, times(tolerance, barRange)),
    direction,
  );

export const spinningTop = (bodyMax: number, wickMin: number): Condition => longLeggedDoji(bodyMax, wickMin);

export const bullishPinBar = (wickRatio: number, bodyPosition: number): Condition =>
  all(
    hasBody,
    atLeast(lowerWick, times(wickRatio, body)),
    above(bodyBottom, COMBINE(1, low, 1 - bodyPosition, barRange)),
  );

export const bearishPinBar = (wickRatio: number, bodyPosition: number): Condition =>
  all(
    hasBody,
    atLeast(upperWick, times(wickRatio, body)),
    below(bodyTop, COMBINE(1, high, -(1 - bodyPosition), barRange)),
  );

// Two bars: strict on both edges of the body, so an open at the previous close is neither engulfing
// nor harami.

export const bullishEngulfing = all(wasFalling, isRising, below(open, close1), above(close, open1));
export const bearishEngulfing = all(wasRising, isFalling, above(open, close1), below(close, open1));
export const bullishHarami = all(wasFalling, isRising, above(open, close1), below(close, open1));
export const bearishHarami = all(wasRising, isFalling, below(open, close1), above(close, open1));

/** Close of the bar moved towards its open by a share of the body. */
const intoBody = (share: number): Column => COMBINE(1, close, share, SUBTRACT(open, close));

export const piercingLine = (penetration: number, requireGap: boolean): Condition =>
  all(
    wasFalling,
    isRising,
    below(open, requireGap ? ago(low, 1) : close1),
    above(close, ago(intoBody(penetration), 1)),
  );

export const darkCloudCover = (penetration: number, requireGap: boolean): Condition =>
  all(
    wasRising,
    isFalling,
    above(open, requireGap ? ago(high, 1) : close1),
    below(close, ago(intoBody(penetration), 1)),
  );

const staysNear = (extreme: Column, tolerance: number): Condition =>
  atMost(ABSOLUTE(CHANGE(extreme, 1)), times(tolerance, averageRange));

export const tweezerTops = (tolerance: number): Condition => all(staysNear(high, tolerance), wasRising, isFalling);
export const tweezerBottoms = (tolerance: number): Condition => all(staysNear(low, tolerance), wasFalling, isRising);

export const insideBar = all(below(high, ago(high, 1)), above(low, ago(low, 1)));
export const outsideBar = all(above(high, ago(high, 1)), below(low, ago(low, 1)));

export const twoBarReversalUp = (proximity: number): Condition =>
  all(
    wasFalling,
    atMost(ago(SUBTRACT(close, low), 1), times(proximity, barRange, 1)),
    isRising,
    atMost(SUBTRACT(high, close), times(proximity, barRange)),
    atMost(low, ago(low, 1)),
    above(close, open1),
  );

export const twoBarReversalDown = (proximity: number): Condition =>
  all(
    wasRising,
    atMost(ago(SUBTRACT(high, close), 1), times(proximity, barRange, 1)),
    isFalling,
    atMost(SUBTRACT(close, low), times(proximity, barRange)),
    atLeast(high, ago(high, 1)),
    below(close, open1),
  );

/** Strictly narrower than each of the `window - 1` bars before. */
export const narrowestRange = (window: number): Condition => below(barRange, ago(MIN(barRange, window - 1), 1));

// Three bars.

const bodyMiddle: Column = COMBINE(0.5, open, 0.5, close);
const smallBodyBefore = (bodyMax: number): Condition => atMost(ago(body, 1), times(bodyMax, barRange, 1));

export const morningStar = (bodyMax: number): Condition =>
  all(earlier(2, isFalling), smallBodyBefore(bodyMax), isRising, above(close, ago(bodyMiddle, 2)));

export const eveningStar = (bodyMax: number): Condition =>
  all(earlier(2, isRising), smallBodyBefore(bodyMax), isFalling, below(close, ago(bodyMiddle, 2)));

/** The condition on this bar and on the two before. */
const onThreeBars = (condition: Condition): Condition => all(earlier(2, condition), earlier(1, condition), condition);

export const threeWhiteSoldiers = (bodyMin: number): Condition =>
  all(
    onThreeBars(all(isRising, atLeast(body, times(bodyMin, barRange)))),
    below(close2, close1),
    below(close1, close),
    atMost(open2, open1),
    atMost(open1, close2),
    atMost(open1, open),
    atMost(open, close1),
  );

export const threeBlackCrows = (bodyMin: number): Condition =>
  all(
    onThreeBars(all(isFalling, atLeast(body, times(bodyMin, barRange)))),
    above(close2, close1),
    above(close1, close),
    atMost(close2, open1),
    atMost(open1, open2),
    atMost(close1, open),
    atMost(open, open1),
  );

export const threeInsideUp = all(earlier(1, bullishHarami), isRising, above(close, open2));
export const threeInsideDown = all(earlier(1, bearishHarami), isFalling, below(close, open2));
