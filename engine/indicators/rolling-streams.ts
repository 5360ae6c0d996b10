import type { NextBar, OpenStream } from './column.js';

/*
 * The rolling windows of rolling.ts and weighted.ts, one bar at a time. As there, the series is cut
 * into blocks of n bars, and a window is the end of one block plus the head of the next. When a
 * block begins, the tails of the one before are summed once; after that a bar costs a few
 * operations. So a bar costs O(1) on average and O(n) once in n bars.
 */

/** The value that a block's values are measured from: its first one, or 0 if that is not finite. */
export const blockAnchor = (value: number): number => (Number.isFinite(value) ? value : 0);

/**
 * The values of the block so far, and what the tails of the block before give to each of its bars.
 */
interface Blocks {
  /** The place of the bar in its block, 0..n-1, after the value is kept. */
  readonly place: number;
  /** Whether a block precedes this one. */
  readonly hasTail: boolean;
}

/**
 * Cuts a column into blocks.
 * @param begin called when a block begins, with the values of the block before, or null
 */
function blocks(window: number, begin: (first: number, before: Float64Array | null) => void) {
  let now = new Float64Array(window);
  let before = new Float64Array(window);
  let place = -1;
  let hasTail = false;
  return (value: number): Blocks => {
    if (place === window - 1) {
      [now, before] = [before, now];
      hasTail = true;
      place = -1;
    }
    place++;
    if (place === 0) begin(value, hasTail ? before : null);
    now[place] = value;
    return { place, hasTail };
  };
}

const empty: NextBar = (_, outputs) => {
  outputs.fill(NaN);
};

/** Sum of the window, and the mean if `isMean`. */
const summed =
  (isMean: boolean): OpenStream =>
  ([window]) => {
    const tails = new Float64Array(window);
    let anchor = 0;
    let head = 0;
    const take = blocks(window, (first, before) => {
      anchor = isMean ? blockAnchor(first) : 0;
      head = 0;
      if (before === null) return;
      let tail = 0;
      for (let j = window - 1; j > 0; j--) {
        tail += before[j] - anchor;
        tails[j - 1] = tail;
      }
    });
    return (inputs, outputs) => {
      const { place, hasTail } = take(inputs[0]);
      head += inputs[0] - anchor;
      const isBlock = place === window - 1;
      if (!isBlock && !hasTail) outputs[0] = NaN;
      else {
        const sum = isBlock ? head : tails[place] + head;
        outputs[0] = isMean ? anchor + sum / window : sum;
      }
    };
  };

export const sumStream = summed(false);
export const meanStream = summed(true);

/** Largest or smallest of the window. */
const extreme =
  (worst: number, better: (a: number, b: number) => number): OpenStream =>
  ([window]) => {
    if (window < 1) return empty;
    const tails = new Float64Array(window);
    let head = worst;
    const take = blocks(window, (_, before) => {
      head = worst;
      if (before === null) return;
      let tail = worst;
      for (let j = window - 1; j > 0; j--) {
        tail = better(tail, before[j]);
        tails[j - 1] = tail;
      }
    });
    return (inputs, outputs) => {
      const { place, hasTail } = take(inputs[0]);
      head = better(head, inputs[0]);
      if (place === window - 1) outputs[0] = head;
      else outputs[0] = hasTail ? better(tails[place], head) : NaN;
    };
  };

export const largestStream = extreme(-Infinity, Math.max);
export const smallestStream = extreme(Infinity, Math.min);

/** Bars since the highest value of the window; of equal values the oldest counts. */
export const sinceMaxStream: OpenStream = ([window]) => {
  /**
   * For each bar of the block: the highest value of the tail, and how many bars before the block.
   */
  const tails = new Float64Array(window);
  const ages = new Float64Array(window);
  let best = -Infinity;
  let bestPlace = 0;
  const take = blocks(window, (_, before) => {
    best = -Infinity;
    bestPlace = 0;
    if (before === null) return;
    let tail = -Infinity;
    let tailAge = 1;
    let tailValue = before[window - 1];
    for (let j = window - 1; j > 0; j--) {
      if (before[j] >= tail) {
        tail = before[j];
        tailAge = window - j;
        tailValue = before[j];
      }
      tails[j - 1] = tailValue;
      ages[j - 1] = tailAge;
    }
  });
  return (inputs, outputs) => {
    const { place, hasTail } = take(inputs[0]);
    if (inputs[0] > best) {
      best = inputs[0];
      bestPlace = place;
    }
    if (place === window - 1) outputs[0] = place - bestPlace;
    else if (hasTail) outputs[0] = tails[place] >= best ? place + ages[place] : place - bestPlace;
    else outputs[0] = NaN;
  };
};

/** [mean, deviation] of the window. */
export const deviationStream: OpenStream = ([window, dof]) => {
  const divisor = window - dof;
  const tails = new Float64Array(window);
  const tailSquares = new Float64Array(window);
  let anchor = 0;
  let head = 0;
  let headSquares = 0;
  const take = blocks(window, (first, before) => {
    anchor = blockAnchor(first);
    head = 0;
    headSquares = 0;
    if (before === null) return;
    let tail = 0;
    let squares = 0;
    for (let j = window - 1; j > 0; j--) {
      const d = before[j] - anchor;
      tail += d;
      squares += d * d;
      tails[j - 1] = tail;
      tailSquares[j - 1] = squares;
    }
  });
  return (inputs, outputs) => {
    const { place, hasTail } = take(inputs[0]);
    const d = inputs[0] - anchor;
    head += d;
    headSquares += d * d;
    const isBlock = place === window - 1;
    if (!isBlock && !hasTail) {
      outputs.fill(NaN);
      return;
    }
    const total = isBlock ? head : tails[place] + head;
    const squares = isBlock ? headSquares : tailSquares[place] + headSquares;
    outputs[0] = anchor + total / window;
    outputs[1] = Math.sqrt(Math.max(0, (squares - (total * total) / window) / divisor));
  };
};

/** [weighted mean, end point of the least-squares line] of the window. */
export const weightedStream: OpenStream = ([window]) => {
  const weights = (window * (window + 1)) / 2;
  const tails = new Float64Array(window);
  const tailWeighted = new Float64Array(window);
  let anchor = 0;
  let head = 0;
  let aged = 0;
  const take = blocks(window, (first, before) => {
    anchor = blockAnchor(first);
    head = 0;
    aged = 0;
    if (before === null) return;
    let tail = 0;
    let heavy = 0;
    for (let j = window - 1; j > 0; j--) {
      tail += before[j] - anchor;
      heavy += tail;
      tails[j - 1] = tail;
      tailWeighted[j - 1] = heavy;
    }
  });
  return (inputs, outputs) => {
    const { place, hasTail } = take(inputs[0]);
    aged += head;
    head += inputs[0] - anchor;
    const isBlock = place === window - 1;
    if (!isBlock && !hasTail) {
      outputs.fill(NaN);
      return;
    }
    const heavy = window * head - aged + (isBlock ? 0 : tailWeighted[place]);
    const total = head + (isBlock ? 0 : tails[place]);
    outputs[0] = anchor + heavy / weights;
    outputs[1] = anchor + (3 * heavy) / weights - (2 * total) / window;
  };
};
