/** The parallel coordinates: drawn on a canvas, axes upright on a wide page and lying on a narrow one. */
export const coordinatesScript = String.raw`
const frame = document.getElementById('coordinates');
const control = (name) => frame.querySelector('[data-coords=' + name + ']');
const box = frame.querySelector('.coords');
const canvas = box.querySelector('canvas');
const layer = box.querySelector('.axes');
const say = frame.querySelector('output');
/** Room that the name of an upright axis needs. */
const GAP_MIN = 92;
const ROW = 70;
const limits = new Map();
const shownParameters = new Set(parameters.map((_, k) => k).slice(0, data.axesMax - 1));
let metric;
let axes = [];
let order = [];
let isLying = false;
let size = { width: 0, height: 0 };

function arrange() {
  metric = metrics[control('metric').value];
  axes = [...parameters.filter((_, k) => shownParameters.has(k)).map(parameterAxis), metricAxis(metric)];
  const worth = (i) => (Number.isFinite(metric.values[i]) ? (metric.isLowBetter ? -1 : 1) * metric.values[i] : -Infinity);
  order = Array.from(runs, (_, i) => i).sort((a, b) => worth(a) - worth(b) || b - a);
  for (const name of limits.keys()) if (!axes.some((axis) => axis.name === name)) limits.delete(name);
  const list = control('axis');
  const before = list.value;
  list.replaceChildren(...axes.map(({ name }) => new Option(name)));
  list.value = axes.some(({ name }) => name === before) ? before : axes[0].name;
  offer();
  place();
}

/** Fills the two lists with values of the axis at hand, and shows the limits that it has. */
function offer() {
  const axis = axes.find(({ name }) => name === control('axis').value);
  const [low, high] = limits.get(axis.name) ?? [0, 1];
  const near = (place) => axis.offered.reduce((best, [at], k) => (Math.abs(at - place) < Math.abs(axis.offered[best][0] - place) ? k : best), 0);
  for (const [name, place] of [['from', low], ['to', high]]) {
    control(name).replaceChildren(...axis.offered.map(([, label], k) => new Option(label, k)));
    control(name).value = near(place);
  }
}

const isKept = (i) => axes.every((axis) => {
  const limit = limits.get(axis.name);
  if (limit === undefined) return true;
  const at = axis.placeOf(i);
  return at >= limit[0] - 1e-6 && at <= limit[1] + 1e-6;
});

/** Where axis number k and a place on it lie in the box. */
function pointOf(k, at) {
  if (isLying) return [10 + at * (size.width - 20), 34 + k * ROW];
  const gap = (size.width - 150) / Math.max(1, axes.length - 1);
  return [60 + k * gap, 46 + (1 - at) * (size.height - 62)];
}

/** Runs on the same grid would lie on one another: each is moved aside a little, always by as much. */
const aside = (i, k) => ((((i + 1) * 2654435761 + (k + 1) * 40503) >>> 0) % 1000) / 1000 - 0.5;

function place() {
  isLying = (frame.clientWidth - 150) / Math.max(1, axes.length - 1) < GAP_MIN;
  box.classList.toggle('tall-coords', isLying);
  box.style.height = isLying ? 34 + (axes.length - 1) * ROW + 34 + 'px' : '';
  size = { width: box.clientWidth, height: box.clientHeight };
  const ratio = Math.min(2, devicePixelRatio || 1);
  canvas.width = size.width * ratio;
  canvas.height = size.height * ratio;
  canvas.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
  drawAxes();
  draw();
}

/** Lengths are shares of the box, as those of the canvas are: on paper both shrink alike. A hairline stays one. */
const lengthOf = (key, value) => {
  if (value === 1) return '1px';
  const whole = /top|bottom|height/i.test(key) ? size.height : size.width;
  return ((100 * value) / whole).toFixed(3) + '%';
};

function put(className, style, text) {
  const made = document.createElement('div');
  made.className = className;
  for (const [key, value] of Object.entries(style)) made.style[key] = typeof value === 'number' ? lengthOf(key, value) : value;
  if (text !== undefined) made.textContent = text;
  layer.append(made);
  return made;
}

function drawAxes() {
  layer.replaceChildren();
  const gap = (size.width - 150) / Math.max(1, axes.length - 1);
  for (const [k, axis] of axes.entries()) {
    const [x0, y0] = pointOf(k, 0);
    const [x1, y1] = pointOf(k, 1);
    const limit = limits.get(axis.name);
    const [title, detail] = axis.name.includes('.') ? axis.name.split(/\.(?=[^.]*$)/).reverse() : [axis.name, ''];
    if (isLying) {
      put('name', { left: 10, top: y0 - 25, maxWidth: size.width - 20, whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' }, (detail ? detail + '.' : '') + title);
      put('line', { left: x0, top: y0, width: x1 - x0, height: 1 });
      if (limit) put('band', { left: pointOf(k, limit[0])[0] - 2, width: (limit[1] - limit[0]) * (x1 - x0) + 4, top: y0 - 7, height: 14 });
    } else {
      const name = put('name', { left: x0 - Math.min(gap, 130) / 2 + 2, width: Math.min(gap, 130) - 4, textAlign: 'center', bottom: size.height - 38 }, title.replaceAll('_', '_\u200b'));
      if (detail) {
        const small = document.createElement('small');
        small.textContent = detail.replaceAll('_', '_\u200b');
        name.prepend(small);
      }
      put('line', { left: x0, top: y1, width: 1, height: y0 - y1 });
      if (limit) put('band', { left: x0 - 7, width: 14, top: pointOf(k, limit[1])[1] - 2, height: (limit[1] - limit[0]) * (y0 - y1) + 4 });
    }
    // Labels that would lie on one another are left out, the ends never.
    const room = isLying ? 0 : 14;
    let taken = -1e9;
    const last = axis.ticks.length - 1;
    for (const [t, [at, text]] of axis.ticks.entries()) {
      const [x, y] = pointOf(k, at);
      const width = text.length * 6.2;
      const from = isLying ? (t === 0 ? x : t === last ? x - width : x - width / 2) : -y;
      const length = isLying ? width + 8 : room;
      const end = isLying ? x1 - axis.ticks[last][1].length * 6.2 : -y1 - room;
      if (t > 0 && t < last && (from < taken || from + length > end)) continue;
      if (t === last && t > 0 && isLying === false && from < taken - 4) continue;
      taken = from + length;
      if (isLying) put('tick', { top: y + 4, left: t === 0 ? x : t === last ? 'auto' : x, right: t === last && t > 0 ? size.width - x : 'auto', transform: t === 0 || t === last ? 'none' : 'translateX(-50%)' }, text);
      else put('tick', { left: x + 6, top: y - 8, maxWidth: Math.max(40, gap - 14), overflow: 'hidden', textOverflow: 'ellipsis' }, text);
    }
    const grip = put('grip', isLying ? { left: 0, top: y0 - 12, width: size.width, height: 34 } : { left: x0 - 16, top: y1 - 10, width: 32, height: y0 - y1 + 20 });
    grip.dataset.grip = k;
  }
}

/** From orange over grey to blue; zero is grey where both signs occur. */
function colours() {
  const style = getComputedStyle(document.documentElement);
  const token = (name) => style.getPropertyValue(name).trim().split(' ').map(Number);
  const [hot, cold, quiet] = ['--hot', '--cold', '--quiet'].map(token);
  const { low, high } = axes.at(-1);
  const isBoth = low < 0 && high > 0;
  const reach = Math.max(-low, high);
  const mix = (a, b, t) => 'rgb(' + a.map((v, c) => Math.round(v + (b[c] - v) * t)).join(' ') + ')';
  const at = (value) => {
    const t = isBoth ? Math.max(-1, Math.min(1, value / reach)) : Math.max(0, Math.min(1, (value - low) / (high - low || 1)));
    return t < 0 ? mix(quiet, cold, Math.round(-t * 12) / 12) : mix(quiet, hot, Math.round(t * 12) / 12);
  };
  const [from, bar, to] = frame.querySelector('.coords-key').children;
  from.textContent = formOf(low, metric.kind);
  to.textContent = formOf(high, metric.kind);
  bar.style.background = 'linear-gradient(90deg,' + Array.from({ length: 13 }, (_, k) => at(low + ((high - low) * k) / 12)).join() + ')';
  return { at, quiet: mix(quiet, quiet, 0) };
}

function draw() {
  const paint = canvas.getContext('2d');
  paint.clearRect(0, 0, size.width, size.height);
  const { at, quiet } = colours();
  const top = Number(control('top').value);
  const known = order.filter((i) => Number.isFinite(metric.values[i]));
  const kept = known.filter(isKept);
  const shown = top === 0 ? kept : kept.slice(-top);
  const line = (i) => {
    for (const [k, axis] of axes.entries()) {
      const shift = axis.step === 0 ? 0 : aside(i, k) * Math.min(0.08, axis.step * 0.7);
      const [x, y] = pointOf(k, Math.min(1, Math.max(0, axis.placeOf(i) + shift)));
      if (k === 0) paint.moveTo(x, y);
      else paint.lineTo(x, y);
    }
  };
  const batch = (list, colour, width, alpha) => {
    paint.strokeStyle = colour;
    paint.lineWidth = width;
    paint.globalAlpha = alpha;
    for (const i of list) {
      paint.beginPath();
      line(i);
      paint.stroke();
    }
  };
  if (shown.length < known.length) {
    // Where the others lie, as a veil: a thousand of them show that.
    const stride = Math.ceil(known.length / 1000);
    batch(known.filter((_, k) => k % stride === 0), quiet, 1, 0.08);
  }
  const alpha = Math.max(0.03, Math.min(0.75, 220 / shown.length));
  const best = shown.slice(-Math.min(10, Math.ceil(shown.length / 10)));
  for (const i of shown) batch([i], at(metric.values[i]), 1, alpha);
  for (const i of best) batch([i], at(metric.values[i]), 2.2, 1);
  paint.globalAlpha = 1;
  const said = [...limits].map(([name, [low, high]]) => {
    const axis = axes.find((one) => one.name === name);
    const inside = axis.offered.filter(([place]) => place >= low - 1e-6 && place <= high + 1e-6).map(([, label]) => label);
    return name + ' ' + (inside.length === 0 ? 'between two values' : inside.length === 1 ? inside[0] : inside[0] + ' to ' + inside.at(-1));
  });
  const leader = shown.at(-1);
  const story = plural(shown.length, 'run') + ' of ' + amount(known.length, 0) + (said.length === 0 ? '' : ' with ' + said.join(', ')) + (leader === undefined ? '' : '; the best has ' + metric.title + ' ' + formOf(metric.values[leader], metric.kind) + ', run ' + runs[leader]) + '.';
  say.textContent = story;
  box.setAttribute('aria-label', 'Parallel coordinates of ' + axes.map(({ name }) => name).join(', ') + ': ' + story);
}

let isWaiting = false;
function later() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    drawAxes();
    draw();
  });
}

/** Dragging along an axis keeps what lies between; a click without dragging lets all through again. */
function brush(event) {
  const { grip } = event.target.dataset;
  if (grip === undefined) return;
  const axis = axes[grip];
  const whole = box.getBoundingClientRect();
  const placeOf = (at) => {
    const [x0, y0] = pointOf(0, 0);
    const [x1, y1] = pointOf(0, 1);
    const raw = isLying ? (at.clientX - whole.left - x0) / (x1 - x0) : (at.clientY - whole.top - y0) / (y1 - y0);
    return Math.max(0, Math.min(1, raw));
  };
  const start = placeOf(event);
  control('axis').value = axis.name;
  const drag = (move) => {
    const at = placeOf(move);
    const slack = axis.step / 2;
    limits.set(axis.name, [Math.max(0, Math.min(start, at) - slack * 0.2), Math.min(1, Math.max(start, at) + slack * 0.2)]);
    later();
  };
  const end = (up) => {
    document.removeEventListener('pointermove', drag);
    document.removeEventListener('pointerup', end);
    if (Math.abs(placeOf(up) - start) < 0.015) limits.delete(axis.name);
    offer();
    later();
  };
  event.preventDefault();
  document.addEventListener('pointermove', drag);
  document.addEventListener('pointerup', end);
}

frame.addEventListener('change', ({ target }) => {
  const { coords, axis: number } = target.dataset;
  if (number !== undefined) {
    if (target.checked) shownParameters.add(Number(number));
    else shownParameters.delete(Number(number));
    arrange();
  } else if (coords === 'metric') arrange();
  else if (coords === 'axis') offer();
  else if (coords === 'from' || coords === 'to') {
    const axis = axes.find(({ name }) => name === control('axis').value);
    const ends = ['from', 'to'].map((name) => axis.offered[control(name).value][0]);
    limits.set(axis.name, [Math.min(...ends), Math.max(...ends)]);
    if (Math.min(...ends) === 0 && Math.max(...ends) === 1) limits.delete(axis.name);
    later();
  } else later();
});
control('clear').addEventListener('click', () => {
  limits.clear();
  offer();
  later();
});
layer.addEventListener('pointerdown', brush);
frame.hidden = false;
arrange();
new ResizeObserver(() => {
  if (box.clientWidth !== size.width) place();
}).observe(frame);
onTheme(() => {
  drawAxes();
  draw();
});
`;
