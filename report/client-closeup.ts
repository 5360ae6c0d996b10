/** The close-up of one trade: candles, fills, stop and target, drawn from the bars in the page. */
export const closeupScript = `
const { closeup } = data;
const unpack = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
const candles = unpack(closeup.candles);
const blocks = new DataView(unpack(closeup.heads).buffer);
const candleCount = candles.length / 4;
const frame = document.getElementById('closeup');
const plot = frame.querySelector('.plot');
const told = frame.querySelector('output');
const number = frame.querySelector('input');
let zoom = 1;

function priceOf(candle, part) {
  const block = 8 * Math.floor(candle / closeup.block);
  return blocks.getFloat32(block, true) + candles[4 * candle + part] * blocks.getFloat32(block + 4, true);
}
function secondsOf(candle) {
  let low = 0;
  let high = closeup.runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (closeup.runs[middle][0] <= candle) low = middle;
    else high = middle - 1;
  }
  return closeup.runs[low][1] + (candle - closeup.runs[low][0]) * closeup.stepSeconds;
}
const element = (name, attributes, text) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
const share = (value) => (100 * value).toFixed(3) + '%';

function drawTrade() {
  const entry = Math.floor(closeup.entryBars[chosen] / closeup.join);
  const exit = Math.floor(closeup.exitBars[chosen] / closeup.join);
  const margin = Math.round(Math.max(14, (exit - entry) * 0.4) * zoom + (zoom < 1 ? (zoom - 1) * 2 : 0));
  const from = Math.max(0, entry - Math.max(3, margin));
  const to = Math.min(candleCount - 1, exit + Math.max(3, margin));
  const join = Math.ceil((to - from + 1) / Math.max(40, plot.clientWidth / 4.5));
  const shown = [];
  for (let c = from; c <= to; c += join) {
    const end = Math.min(c + join - 1, to);
    const bar = { open: priceOf(c, 0), high: priceOf(c, 1), low: priceOf(c, 2), close: priceOf(end, 3) };
    for (let k = c + 1; k <= end; k++) {
      bar.high = Math.max(bar.high, priceOf(k, 1));
      bar.low = Math.min(bar.low, priceOf(k, 2));
    }
    shown.push(bar);
  }
  const paid = [byKey.entry_price[chosen], byKey.exit_price[chosen]];
  let low = Math.min(...shown.map((bar) => bar.low), ...paid);
  let high = Math.max(...shown.map((bar) => bar.high), ...paid);
  const stop = byKey.stop_price[chosen];
  const target = byKey.target_price[chosen];
  const span = high - low || high || 1;
  for (const level of [stop, target]) {
    if (level !== null && level > low - span && level < high + span) {
      low = Math.min(low, level);
      high = Math.max(high, level);
    }
  }
  const air = (high - low || high) * 0.06;
  low -= air;
  high += air;
  const y = (price) => 1 - (price - low) / (high - low);
  const width = 10 * shown.length;
  const xOf = (bar) => (Math.floor((bar - from) / join) + 0.5) / shown.length;
  const row = (price) => Math.round(1000 * y(price));
  const wick = [];
  const rise = [];
  const fall = [];
  shown.forEach((bar, i) => {
    wick.push('M' + (10 * i + 5) + ' ' + row(bar.high) + 'V' + row(bar.low));
    const isFall = bar.close < bar.open;
    const top = row(Math.max(bar.open, bar.close));
    const height = Math.max(1, row(Math.min(bar.open, bar.close)) - top);
    (isFall ? fall : rise).push('M' + (10 * i + 2) + ' ' + top + 'h6v' + height + 'h-6z');
  });
  const isWin = byKey.profit_loss[chosen] > 0;
  const result = cell(byKey.profit_loss_pct[chosen], 'gainPercent');
  const story = 'No. ' + (chosen + 1) + ': ' + minute(byKey.entry_time[chosen]) + ' at ' + cell(paid[0], 'price') + ' to ' + minute(byKey.exit_time[chosen]) + ' at ' + cell(paid[1], 'price') + ', ' + byKey.exit_reason[chosen] + ', ' + result;
  const svg = element('svg', { role: 'img', 'aria-label': 'Candles around trade ' + story });
  const step = niceStep((high - low) / 5);
  for (let k = Math.ceil(low / step); k * step < high; k++) {
    const at = share(y(k * step));
    svg.append(element('line', { class: 'grid', x1: 0, x2: '100%', y1: at, y2: at }), element('text', { class: 'y', x: -8, y: at, dy: '.32em' }, amount(k * step, Math.max(0, Math.min(10, -Math.floor(Math.log10(step) + 1e-9))))));
  }
  for (let k = 0; k < 5; k++) {
    const i = Math.round((k * (shown.length - 1)) / 4);
    const anchor = k === 0 ? ' start' : k === 4 ? ' end' : '';
    svg.append(element('text', { class: 'x' + anchor + (k % 4 ? ' odd' : ''), x: share((i + 0.5) / shown.length), y: '100%', dy: '1.5em' }, minute(secondsOf(from + i * join)).slice(k === 0 ? 0 : 5)));
  }
  const stretch = element('svg', { class: 'stretch', width: '100%', height: '100%', viewBox: '0 0 ' + width + ' 1000', preserveAspectRatio: 'none' });
  stretch.append(
    element('path', { class: 'held', d: 'M' + width * xOf(entry) + ' 0H' + width * xOf(exit) + 'V1000H' + width * xOf(entry) + 'z' }),
    element('path', { class: 'wick', d: wick.join('') }),
    element('path', { class: 'rise', d: rise.join('') }),
    element('path', { class: 'fall', d: fall.join('') }),
  );
  svg.append(stretch);
  for (const [name, level] of [['stop', stop], ['target', target]]) {
    if (level === null) continue;
    const isInside = level >= low && level <= high;
    const at = share(isInside ? y(level) : level > high ? 0.03 : 0.97);
    if (isInside) svg.append(element('line', { class: name, x1: share(xOf(entry)), x2: share(xOf(exit)), y1: at, y2: at }));
    svg.append(element('text', { class: 'level', x: share(Math.max(0.005, xOf(entry))), dx: 4, y: at, dy: name === 'stop' ? '1.2em' : '-.4em' }, name + ' ' + cell(level, 'price') + (isInside ? '' : level > high ? ', above' : ', below')));
  }
  const mark = (at, price, shape, className) => {
    const placed = element('svg', { class: 'mark ' + className, x: share(at), y: share(y(price)) });
    placed.append(element('path', { d: shape }));
    return placed;
  };
  svg.append(
    mark(xOf(entry), paid[0], 'M0 2 6 13H-6Z', 'entry'),
    mark(xOf(exit), paid[1], isWin ? 'M0-2 6-13H-6Z' : 'M-5-5 5 5M5-5-5 5', isWin ? 'won' : 'lost'),
  );
  plot.replaceChildren(svg);
  told.textContent = story + (closeup.join * join > 1 ? ', one candle is ' + closeup.join * join + ' bars' : '');
}

function niceStep(raw) {
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

function choose(trade, isAsked) {
  chosen = Math.max(0, Math.min(trade, total - 1));
  number.value = chosen + 1;
  for (const row of body.rows) row.classList.toggle('chosen', Number(row.dataset.row) === chosen);
  markPlace();
  drawTrade();
  if (isAsked) {
    frame.scrollIntoView({ block: 'center' });
    number.focus({ preventScroll: true });
  }
}

/** Where the trade lies in the price chart. */
function markPlace() {
  const price = document.querySelector('#price .plot > svg');
  price.querySelector('.focus')?.remove();
  const start = secondsOf(0);
  const whole = secondsOf(candleCount - 1) - start || 1;
  const at = (byKey.entry_time[chosen] - start) / whole;
  const long = (byKey.exit_time[chosen] - byKey.entry_time[chosen]) / whole;
  price.append(element('rect', { class: 'focus', x: share(at), width: share(Math.max(0.002, long)), y: 0, height: '100%', 'pointer-events': 'none' }));
}

number.max = total;
number.addEventListener('change', () => choose(Math.trunc(Number(number.value)) - 1 || 0, false));
frame.addEventListener('click', (event) => {
  const { go, zoom: factor } = event.target.dataset;
  if (go !== undefined) choose((chosen + Number(go) + total) % total, false);
  if (factor === undefined) return;
  zoom = Math.max(0.25, Math.min(64, zoom * Number(factor)));
  drawTrade();
});
document.getElementById('price').addEventListener('click', (event) => {
  const trade = event.target.closest('[data-trade]');
  if (trade !== null) choose(Number(trade.dataset.trade), false);
});
frame.hidden = false;
let best = 0;
byKey.profit_loss.forEach((value, i) => {
  if (value > byKey.profit_loss[best]) best = i;
});
choose(best, false);
`;
