import { minute } from '../format.js';
import type { CloseupData } from '../page-data.js';
import { Candles } from './candles.js';
import { type CloseupTrade, type CloseupView, candlePaths, priceTicks, viewOf } from './closeup-view.js';
import { around, draw, find } from './dom.js';
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
  let zoom = 1;
  let chosen = 0;

  const show = (): void => {
    const trade = tradeOf(trades, candles, chosen);
    const view = viewOf(candles, trade, zoom, plot.clientWidth);
    const story = storyOf(trades, chosen);
    plot.replaceChildren(picture(view, trade, candles, trades, chosen, story));
    const bars = candles.join * view.join;
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

function tradeOf(trades: Trades, candles: Candles, chosen: number): CloseupTrade {
  const [entry, exit] = candles.ofTrade(chosen);
  return {
    entry,
    exit,
    entryPrice: trades.number(chosen, 'entry_price'),
    exitPrice: trades.number(chosen, 'exit_price'),
    stop: trades.number(chosen, 'stop_price'),
    target: trades.number(chosen, 'target_price'),
  };
}

function storyOf(trades: Trades, trade: number): string {
  const fill = (side: 'entry' | 'exit') =>
    `${trades.text(trade, `${side}_time`)} at ${trades.text(trade, `${side}_price`)}`;
  const end = `${trades.text(trade, 'exit_reason')}, ${trades.text(trade, 'profit_loss_pct')}`;
  return `No. ${trade + 1}: ${fill('entry')} to ${fill('exit')}, ${end}`;
}

function picture(
  view: CloseupView,
  trade: CloseupTrade,
  candles: Candles,
  trades: Trades,
  chosen: number,
  story: string,
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
  svg.append(...timeLabels(view, candles), stretched(view, entryX, exitX, y));
  for (const name of ['stop', 'target'] as const) {
    const text = trades.text(chosen, `${name}_price`);
    if (!Number.isNaN(trade[name])) svg.append(...levelOf(name, trade[name], text, view, [entryX, exitX], y));
  }
  const isWin = trades.isGain(chosen);
  const sign = (x: number, price: number, shape: string, className: string): SVGElement => {
    const placed = draw('svg', { class: `mark ${className}`, x: share(x), y: share(y(price)) });
    placed.append(draw('path', { d: shape }));
    return placed;
  };
  svg.append(
    sign(entryX, trade.entryPrice, 'M0 2 6 13H-6Z', 'entry'),
    sign(exitX, trade.exitPrice, isWin ? 'M0-2 6-13H-6Z' : 'M-5-5 5 5M5-5-5 5', isWin ? 'won' : 'lost'),
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

/** The candles, and the span in which the trade was open. */
function stretched(view: CloseupView, entryX: number, exitX: number, y: (price: number) => number): SVGElement {
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
  for (const [name, path] of Object.entries({ held, wick, rise, fall }))
    box.append(draw('path', { class: name, d: path }));
  return box;
}

/** A stop or target with its price. A level outside the picture is labelled at its edge. */
function levelOf(
  name: 'stop' | 'target',
  level: number,
  price: string,
  { low, high }: CloseupView,
  [entryX, exitX]: readonly [number, number],
  y: (price: number) => number,
): SVGElement[] {
  const isInside = level >= low && level <= high;
  const at = share(isInside ? y(level) : level > high ? 0.03 : 0.97);
  const beyond = isInside ? '' : level > high ? ', above' : ', below';
  const place = { x: share(Math.max(0.005, entryX)), dx: 4, y: at, dy: name === 'stop' ? '1.2em' : '-.4em' };
  const text = draw('text', { class: 'level', ...place }, `${name} ${price}${beyond}`);
  if (!isInside) return [text];
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
