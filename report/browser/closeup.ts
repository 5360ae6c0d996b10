import { minute } from '../format.js';
import type { CloseupData } from '../page-data.js';
import { Candles } from './candles.js';
import { type CloseupTrade, type CloseupView, candlePaths, closeupView, priceTicks } from './closeup-view.js';
import { around, draw, find } from './page.js';
import { type StoryEvent, storyLines, unpackEvents } from './story.js';
import type { Trades } from './trades.js';

const ROWS = 1000;
const ZOOM_MIN = 0.25;
const ZOOM_MAX = 64;
/** Number of time labels below the picture. */
const TIMES = 5;

interface Closeup {
  /**
   * @param isAsked the reader chose the trade outside the close-up, so scroll to it
   */
  choose(trade: number, isAsked: boolean): void;
}

const share = (value: number): string => `${(100 * value).toFixed(3)}%`;

/**
 * The close-up of one trade: candles, fills, stop and target, drawn from the bars that the page
 * carries.
 */
export function startCloseup(trades: Trades, data: CloseupData, onChosen: (trade: number) => void): Closeup {
  const candles = new Candles(data);
  const frame = find(HTMLElement, '#closeup');
  const plot = find(HTMLElement, '.plot', frame);
  const told = find(HTMLOutputElement, 'output', frame);
  const number = find(HTMLInputElement, 'input', frame);
  const list = find(HTMLOListElement, '.events', frame);
  let zoom = 1;
  let chosen = 0;

  const show = (): void => {
    const events = storyEvents(trades, candles, chosen);
    const trade = closeupTrade(trades, candles, chosen, events);
    const view = closeupView(candles, trade, zoom, plot.clientWidth);
    const story = tradeStory(trades, chosen);
    plot.replaceChildren(picture(view, trade, candles, trades, chosen, story, events));
    const bars = candles.join * view.join;
    list.replaceChildren(...storyLines(events, trades.isShort(chosen), trades.digits).map(eventLine));
    told.textContent = `${story}${bars > 1 ? `; one candle is ${bars} bars` : ''}`;
  };
  const choose = (trade: number, isAsked: boolean): void => {
    chosen = Math.max(0, Math.min(trade, trades.count - 1));
    number.value = String(chosen + 1);
    onChosen(chosen);
    markPlace(trades, candles, chosen);
    show();
    if (!isAsked) return;
    frame.scrollIntoView({ block: 'center' });
    number.focus({ preventScroll: true });
  };

  number.max = String(trades.count);
  number.addEventListener('change', () => choose(Math.trunc(Number(number.value)) - 1 || 0, false));
  frame.addEventListener('click', (event) => {
    const { go, zoom: factor } = around(event, 'button')?.dataset ?? {};
    if (go !== undefined) choose((chosen + Number(go) + trades.count) % trades.count, false);
    if (factor === undefined) return;
    zoom = Math.max(ZOOM_MIN, Math.min(ZOOM_MAX, zoom * Number(factor)));
    show();
  });
  find(HTMLElement, '#price').addEventListener('click', (event) => {
    const trade = around<SVGElement>(event, '[data-trade]');
    if (trade !== null) choose(Number(trade.dataset.trade), false);
  });
  frame.hidden = false;
  return { choose };
}

function eventLine({ time, text }: { readonly time: string; readonly text: string }): HTMLLIElement {
  const line = document.createElement('li');
  const at = document.createElement('time');
  at.textContent = time;
  line.append(at, text);
  return line;
}

/** What happened to a trade; where the page does not tell, entry, levels and exit. */
function storyEvents(trades: Trades, candles: Candles, chosen: number): StoryEvent[] {
  const told = unpackEvents(candles.tradeEvents(chosen));
  if (told.length > 0) return told;
  const of = (
    kind: StoryEvent['kind'],
    time: 'entry_time' | 'exit_time',
    key: 'entry_price' | 'exit_price' | 'stop_price' | 'target_price',
  ) => ({
    ...{ kind, seconds: trades.number(chosen, time), price: trades.number(chosen, key) },
    ...{ size: trades.number(chosen, 'size'), reason: kind === 'exit' ? trades.text(chosen, 'exit_reason') : '' },
  });
  return [
    of('entry', 'entry_time', 'entry_price'),
    of('stop', 'entry_time', 'stop_price'),
    of('target', 'entry_time', 'target_price'),
    of('exit', 'exit_time', 'exit_price'),
  ].filter(({ price }) => !Number.isNaN(price));
}

function closeupTrade(trades: Trades, candles: Candles, chosen: number, events: readonly StoryEvent[]): CloseupTrade {
  const [entry, exit] = candles.ofTrade(chosen);
  return {
    entry,
    exit,
    entryPrice: trades.number(chosen, 'entry_price'),
    exitPrice: trades.number(chosen, 'exit_price'),
    stop: trades.number(chosen, 'stop_price'),
    target: trades.number(chosen, 'target_price'),
    between: events.map(({ price }) => price).filter((price) => !Number.isNaN(price)),
  };
}

function tradeStory(trades: Trades, trade: number): string {
  const fill = (side: 'entry' | 'exit') =>
    `${trades.text(trade, `${side}_time`)} at ${trades.text(trade, `${side}_price`)}`;
  const end = `${trades.text(trade, 'exit_reason')}, ${trades.text(trade, 'profit_loss_pct')}`;
  const side = trades.text(trade, 'side');
  return `No. ${trade + 1}${side === '' ? '' : `, ${side}`}: ${fill('entry')} to ${fill('exit')}, ${end}`;
}

function picture(
  view: CloseupView,
  trade: CloseupTrade,
  candles: Candles,
  trades: Trades,
  chosen: number,
  story: string,
  events: readonly StoryEvent[],
): SVGElement {
  const { low, high } = view;
  const y = (price: number) => 1 - (price - low) / (high - low);
  const xOf = (candle: number) => (Math.floor((candle - view.from) / view.join) + 0.5) / view.candles.length;
  const [entryX, exitX] = [xOf(trade.entry), xOf(trade.exit)];
  const svg = draw('svg', { role: 'img', 'aria-label': `Candles around trade ${story}` });
  for (const { price, label } of priceTicks(view)) {
    const at = share(y(price));
    svg.append(
      draw('line', { class: 'grid', x1: 0, x2: '100%', y1: at, y2: at }),
      draw('text', { class: 'y', x: -8, y: at, dy: '.32em' }, label),
    );
  }
  const edgeOf = (seconds: number) => (candles.at(seconds) - view.from) / view.join / view.candles.length;
  const steps = (['stop', 'target'] as const).map((name) => {
    const levels = events.filter(({ kind }) => kind === name);
    return [name, levels.length > 1 ? levelSteps(levels, entryX, exitX, edgeOf, y, view) : ''] as const;
  });
  svg.append(...timeLabels(view, candles), stretched(view, entryX, exitX, y, steps));
  for (const [name, moved] of steps) {
    const text = trades.text(chosen, `${name}_price`);
    if (Number.isNaN(trade[name])) continue;
    // A level that moved is drawn as steps, and told where it ends.
    const [from, hasLine] = moved === '' ? [entryX, true] : [exitX, false];
    svg.append(...drawLevel(name, trade[name], text, view, [from, exitX], y, hasLine));
  }
  const liquidation = trades.number(chosen, 'liquidation_price');
  if (liquidation > low && liquidation < high) {
    const at = share(y(liquidation));
    svg.append(
      draw('line', { class: 'liquidation', x1: share(entryX), x2: share(exitX), y1: at, y2: at }),
      draw('text', { class: 'level', x: share(exitX), dx: 4, y: at, dy: '.32em' }, 'liquidation'),
    );
  }
  const isWin = trades.isGain(chosen);
  const isShort = trades.isShort(chosen);
  const isLiquidated = trades.text(chosen, 'exit_reason') === 'LIQUIDATION';
  const clamped = (price: number) => Math.min(high, Math.max(low, price));
  const sign = (x: number, price: number, shape: string, className: string): SVGElement => {
    const placed = draw('svg', { class: `mark ${className}`, x: share(x), y: share(y(price)) });
    placed.append(draw('path', { d: shape }));
    return placed;
  };
  svg.append(
    sign(entryX, trade.entryPrice, isShort ? DOWN : UP, isShort ? 'entry short' : 'entry'),
    ...events
      .filter(({ kind }) => kind === 'part')
      .map(({ seconds, price }) => sign(xOf(Math.floor(candles.at(seconds))), price, 'M0-5 5 0 0 5-5 0Z', 'part')),
    isWin
      ? sign(exitX, trade.exitPrice, isShort ? UP : DOWN, 'won')
      : sign(exitX, clamped(trade.exitPrice), 'M-5-5 5 5M5-5-5 5', isLiquidated ? 'lost liquidated' : 'lost'),
  );
  return svg;
}

function timeLabels({ candles: shown, from, join }: CloseupView, candles: Candles): SVGElement[] {
  return Array.from({ length: TIMES }, (_, k) => {
    const i = Math.round((k * (shown.length - 1)) / (TIMES - 1));
    const anchor = k === 0 ? ' start' : k === TIMES - 1 ? ' end' : ' odd';
    const time = minute(1000 * candles.seconds(from + i * join));
    const place = { x: share((i + 0.5) / shown.length), y: '100%', dy: '1.5em' };
    // The first label has the year.
    return draw('text', { class: `x${anchor}`, ...place }, time.slice(k === 0 ? 0 : 5));
  });
}

/** Triangles whose tips point at a fill from below and from above. */
const UP = 'M0 2 6 13H-6Z';
const DOWN = 'M0-2 6-13H-6Z';

/** A level that moved, as steps; each move acts from the close of its bar on. */
function levelSteps(
  levels: readonly StoryEvent[],
  entryX: number,
  exitX: number,
  edgeOf: (seconds: number) => number,
  y: (price: number) => number,
  { candles }: CloseupView,
): string {
  const width = 10 * candles.length;
  const row = (price: number) => Math.round(ROWS * Math.min(1.02, Math.max(-0.02, y(price))));
  const [first, ...moves] = levels;
  const path = moves.map(({ seconds, price }) => {
    const x = Math.round(width * Math.min(exitX, edgeOf(seconds)));
    return `H${x}${Number.isNaN(price) ? '' : `V${row(price)}`}`;
  });
  return first === undefined ? '' : `M${width * entryX} ${row(first.price)}${path.join('')}H${width * exitX}`;
}

/** The candles, the span in which the trade was open, and levels that moved. */
function stretched(
  view: CloseupView,
  entryX: number,
  exitX: number,
  y: (price: number) => number,
  steps: readonly (readonly [name: string, path: string])[],
): SVGElement {
  const width = 10 * view.candles.length;
  const box = draw('svg', {
    class: 'stretch',
    width: '100%',
    height: '100%',
    viewBox: `0 0 ${width} ${ROWS}`,
    preserveAspectRatio: 'none',
  });
  const { wick, rise, fall } = candlePaths(view.candles, ROWS, y);
  const held = `M${width * entryX} 0H${width * exitX}V${ROWS}H${width * entryX}z`;
  for (const [name, path] of [...Object.entries({ held, wick, rise, fall }), ...steps]) {
    if (path !== '') box.append(draw('path', { class: name, d: path }));
  }
  return box;
}

/** A stop or target with its price. A level outside the picture is labelled at its edge. */
function drawLevel(
  name: 'stop' | 'target',
  level: number,
  price: string,
  { low, high }: CloseupView,
  [entryX, exitX]: readonly [number, number],
  y: (price: number) => number,
  hasLine: boolean,
): SVGElement[] {
  const isInside = level >= low && level <= high;
  const at = share(isInside ? y(level) : level > high ? 0.03 : 0.97);
  const beyond = isInside ? '' : level > high ? ', above' : ', below';
  const place = { x: share(Math.max(0.005, entryX)), dx: 4, y: at, dy: name === 'stop' ? '1.2em' : '-.4em' };
  const text = draw('text', { class: 'level', ...place }, `${name} ${price}${beyond}`);
  if (!isInside || !hasLine) return [text];
  return [draw('line', { class: name, x1: share(entryX), x2: share(exitX), y1: at, y2: at }), text];
}

/** Marks the trade in the price chart. */
function markPlace(trades: Trades, candles: Candles, trade: number): void {
  const price = find(SVGSVGElement, '#price .field');
  price.querySelector('.focus')?.remove();
  const start = candles.seconds(0);
  const whole = candles.seconds(candles.count - 1) - start || 1;
  const [entry, exit] = [trades.number(trade, 'entry_time'), trades.number(trade, 'exit_time')];
  price.append(
    draw('rect', {
      class: 'focus',
      x: share((entry - start) / whole),
      width: share(Math.max(0.002, (exit - entry) / whole)),
      y: 0,
      height: '100%',
      'pointer-events': 'none',
    }),
  );
}
