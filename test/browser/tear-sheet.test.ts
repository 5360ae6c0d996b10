import assert from 'node:assert/strict';
import test from 'node:test';
import { renderComparison, renderTearSheet } from '../../report/index.js';
import { browserOptions, pagesInBrowser, requireContrast } from '../support/pages.js';
import { bothSides, randomSheet } from '../support/report.js';

function dearSheet() {
  const sheet = randomSheet({ tradeCount: 40 });
  const dear = (price: number | null) => (price === null ? null : price * 1_234.5);
  const trades = sheet.trades.map((trade) => ({
    ...trade,
    entry_price: trade.entry_price * 1_234.5,
    exit_price: trade.exit_price * 1_234.5,
    stop_price: dear(trade.stop_price),
    target_price: dear(trade.target_price),
    profit_loss: trade.profit_loss * 99,
    exit_reason: 'PROFIT_TIMEOUT',
  }));
  return { ...sheet, trades };
}

const sheets = {
  plain: () => renderTearSheet(randomSheet({ tradeCount: 250, title: '<script>alert(1)</script>' })),
  /** Prices, sizes and profits with many digits. */
  dear: () => renderTearSheet(dearSheet()),
  sides: () => renderTearSheet(bothSides(randomSheet({ tradeCount: 60 }))),
  /** Too many trades to mark each. */
  manySides: () => renderTearSheet(bothSides(randomSheet({ barCount: 40_000, tradeCount: 5_000 }))),
  none: () => renderTearSheet(randomSheet({ tradeCount: 0 })),
  comparison: () => renderComparison([randomSheet(), randomSheet({ seed: 8 }), randomSheet({ seed: 9 })]),
  big: () => renderTearSheet(randomSheet({ barCount: 500_000, tradeCount: 10_000, intervalMs: 300_000 })),
};
const { visit, testWidths, testReading } = pagesInBrowser(sheets);

testWidths(360, 2_000);

const column = (n: number) =>
  `[...document.querySelectorAll('.trades tbody tr')].map((row) => row.cells[${n}].textContent)`;
const number = (text: string): number => Number(text.replace('\u2212', '-').replace(/[,+\u00a0%]/g, ''));

test('the end of a curve, read off the labels of its axis, is the value of the run', browserOptions, () =>
  visit('plain', { width: 1_200 }, async (page) => {
    const { labels, end } = await page.evaluate<{ labels: [string, number][]; end: number }>(`(() => {
      const centre = (box) => (box.top + box.bottom) / 2;
      const labels = [...document.querySelectorAll('#equity text.y')];
      const path = document.querySelector('#equity path.strategy');
      const last = path.getPointAtLength(path.getTotalLength());
      return {
        labels: labels.map((label) => [label.textContent, centre(label.getBoundingClientRect())]),
        end: new DOMPoint(last.x, last.y).matrixTransform(path.getScreenCTM()).y,
      };
    })()`);
    const [[lowText, lowPlace], [highText, highPlace]] = [labels[0], labels.at(-1)] as [
      [string, number],
      [string, number],
    ];
    const [low, high] = [number(lowText), number(highText)];
    assert.ok(labels.length > 2 && low < high);
    const read = low + ((end - lowPlace) / (highPlace - lowPlace)) * (high - low);
    const value = randomSheet({ tradeCount: 250 }).equity.at(-1) ?? NaN;
    assert.ok(Math.abs(read - value) < 0.03 * (high - low), `${read} was drawn for ${value}`);
  }),
);

test('the table sorts by click and by keyboard, and pages', browserOptions, () =>
  visit('plain', { width: 1200 }, async (page) => {
    await page.evaluate(`document.querySelectorAll('.trades thead button')[3].click()`);
    const rising = (await page.evaluate<string[]>(column(3))).map(number);
    assert.equal(rising.length, 100);
    assert.deepEqual(
      rising,
      [...rising].sort((a, b) => a - b),
    );
    await page.evaluate(`document.querySelectorAll('.trades thead button')[2].focus()`);
    await page.press('Tab');
    await page.press('Enter');
    const falling = (await page.evaluate<string[]>(column(3))).map(number);
    assert.deepEqual(
      falling,
      [...falling].sort((a, b) => b - a),
    );
    assert.ok(falling[0]! >= rising[99]!);
    assert.equal(
      await page.evaluate(`document.querySelector('th[aria-sort]').getAttribute('aria-sort')`),
      'descending',
    );
    await page.evaluate(`document.querySelector('[data-page=last]').click()`);
    assert.equal((await page.evaluate<string[]>(column(0))).length, 50);
    assert.match(
      await page.evaluate<string>(`document.querySelector('#pager output').textContent`),
      /201 to 250 of 250/,
    );
  }),
);

test('the script writes the same rows as the page without the script', browserOptions, async () => {
  const rows = `[...document.querySelectorAll('.trades tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent + cell.className).join('|'))`;
  const seen: string[][] = [];
  for (const script of [true, false]) {
    await visit('plain', { width: 1200, script }, async (page) => {
      seen.push(await page.evaluate<string[]>(rows));
      assert.equal(await page.evaluate<boolean>(`document.getElementById('closeup').hidden`), !script);
    });
  }
  assert.equal(seen[0]!.length, 100);
  for (const [i, row] of seen[0]!.entries()) assert.equal(row, seen[1]![i]);
});

test('a trade opens in the close-up, and next and wider work there', browserOptions, () =>
  visit('plain', { width: 1200 }, async (page) => {
    const told = `document.querySelector('#closeup output').textContent`;
    await page.evaluate(`document.querySelectorAll('.trades tbody button')[6].click()`);
    assert.match(await page.evaluate<string>(told), /^No\. 7:/);
    await page.evaluate(
      `document.querySelector('[data-go="1"]').click(); document.querySelector('[data-zoom="2"]').click()`,
    );
    assert.match(await page.evaluate<string>(told), /^No\. 8:/);
    const paths = `[...document.querySelectorAll('#closeup path')].map((path) => path.getAttribute('d')).join('')`;
    assert.doesNotMatch(await page.evaluate<string>(paths), /NaN|Infinity/);
  }),
);

testReading(1_200, 'plain', 'none', 'comparison');

test(
  'the toggle overrides the system; the printed page is light, with all sections and no controls',
  browserOptions,
  () =>
    visit('plain', { width: 1200, theme: 'light' }, async (page) => {
      const background = 'getComputedStyle(document.body).backgroundColor';
      const before = await page.evaluate<string>(background);
      await page.evaluate(`{ const theme = document.getElementById('theme'); theme.click(); theme.click(); }`);
      assert.notEqual(await page.evaluate<string>(background), before);
      await page.send('Emulation.setEmulatedMedia', { media: 'print' });
      assert.equal(await page.evaluate<string>(background), before);
      const shown = (selector: string) =>
        `[...document.querySelectorAll('${selector}')].filter((e) => e.checkVisibility()).length`;
      assert.equal(await page.evaluate<number>(shown('.control, .controls')), 0);
      assert.equal(await page.evaluate<number>(shown('section')), 12);
    }),
);

/** Texts of charts and cells that end beyond the page or their own box. */
const clipped = `[
  ...[...document.querySelectorAll('.plot > svg > text, .ticks text, h3, .legend, .told, dd, dt')].filter((e) => {
    const { left, right, width } = e.getBoundingClientRect();
    return e.checkVisibility() && width > 0 && (left < -0.5 || right > innerWidth + 0.5);
  }).map((e) => e.textContent),
  ...[...document.querySelectorAll('dd, dt, figcaption, h3, .controls')].filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map((e) => 'cut: ' + e.textContent),
]`;

for (const width of [390, 1_440] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test(`nothing is clipped at ${width} px in the ${theme} theme, zoomed or not`, browserOptions, () =>
      visit('dear', { width, theme }, async (page) => {
        assert.deepEqual(await page.evaluate<string[]>(clipped), []);
        await page.evaluate(`for (let i = 0; i < 4; i++) document.querySelector('[data-zoom-by="0.625"]').click()`);
        assert.deepEqual(await page.evaluate<string[]>(clipped), []);
        assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), width);
        await requireContrast(page);
      }),
    );
  }
}

/** Middle of a chart, and a place on it by a fraction of its width. */
const placeOn = (id: string, fraction: number) => `(() => {
  document.querySelector('#${id}').scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = document.querySelector('#${id} .plot > svg').getBoundingClientRect();
  return [left + width * ${fraction}, top + height / 2];
})()`;
const shownSpan = `document.querySelector('#zoom output').textContent`;

test(
  'a pointer reads every curve over time at one moment; a drag zooms all of them, keys move and reset',
  browserOptions,
  () =>
    visit('plain', { width: 1_200 }, async (page) => {
      const told = (id: string) => page.evaluate<string>(`document.querySelector('#${id} .told').textContent`);
      const mouse = async (type: string, fraction: number) => {
        const [x, y] = await page.evaluate<[number, number]>(placeOn('equity', fraction));
        const pressed = type === 'mouseMoved' ? { buttons: 1 } : {};
        await page.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1, ...pressed });
      };
      const sheet = randomSheet({ tradeCount: 250 });
      const whole = await page.evaluate<string>(shownSpan);
      await mouse('mouseMoved', 0.5);
      const middle = sheet.equity[Math.round((sheet.equity.length - 1) / 2)]!;
      const text = await told('equity');
      const value = Number(/strategy ([\d,.]+)/.exec(text)?.[1]?.replaceAll(',', ''));
      assert.ok(Math.abs(value / middle - 1) < 0.02, `${text}: ${middle}`);
      for (const id of ['drawdown', 'sharpe', 'volatility', 'beta', 'price', 'indicator-1']) {
        assert.equal((await told(id)).slice(0, 16), text.slice(0, 16), id);
      }
      assert.match(
        await told('fan'),
        /^50\u00a0% \u00b7 5th percentile [\d,.]+ \u00b7 median [\d,.]+ \u00b7 95th [\d,.]+$/,
      );
      assert.match(await told('price'), /BTC [\d,.]+ \u00b7 SMA\(close,50\) [\d,.]+/);

      await mouse('mousePressed', 0.25);
      await mouse('mouseMoved', 0.4);
      await mouse('mouseMoved', 0.5);
      await mouse('mouseReleased', 0.5);
      const widths = await page.evaluate<number[]>(
        `[...document.querySelectorAll('.field')].map((field) => parseFloat(field.getAttribute('width')))`,
      );
      assert.ok(widths.length >= 8);
      for (const width of widths) assert.ok(Math.abs(width - 400) < 8, `${width} %`);
      const zoomed = await page.evaluate<string>(shownSpan);
      assert.notEqual(zoomed, whole);
      const key = (name: string) =>
        page.evaluate(
          `document.querySelector('#price .plot').dispatchEvent(new KeyboardEvent('keydown', { key: '${name}', bubbles: true }))`,
        );
      await key('ArrowRight');
      const later = await page.evaluate<string>(shownSpan);
      assert.ok(later > zoomed, `${later} is later than ${zoomed}`);
      await page.evaluate(`document.querySelector('[data-pan-by="-0.25"]').click()`);
      assert.equal(await page.evaluate<string>(shownSpan), zoomed);
      await key('Escape');
      assert.equal(await page.evaluate<string>(shownSpan), whole);
    }),
);

test('entries and exits appear over the price as the reader zooms in, and lead to their trade', browserOptions, () =>
  visit('manySides', { width: 1_200 }, async (page) => {
    const marked = () => page.evaluate<number>(`document.querySelectorAll('#price .marks .mark').length`);
    assert.equal(await marked(), 0, '5,000 trades in view');
    await page.evaluate(`for (let i = 0; i < 8; i++) document.querySelector('#zoom [data-zoom-by="0.625"]').click()`);
    const count = await marked();
    assert.ok(count > 20 && count <= 800, `${count} marks`);
    const places = await page.evaluate<[number, number][]>(`(() => {
      const field = document.querySelector('#price .plot > svg').getBoundingClientRect();
      return [...document.querySelectorAll('#price .marks .mark')].map((mark) => {
        const box = mark.firstChild.getBoundingClientRect();
        return [(box.left + box.right) / 2 - field.left, field.bottom - (box.top + box.bottom) / 2];
      });
    })()`);
    assert.ok(
      places.some(([x, y]) => x > 100 && x < 1_000 && y > 20),
      'in the plot',
    );
    await page.evaluate(`document.querySelector('#price .marks .entry.short path')
      .dispatchEvent(new MouseEvent('click', { bubbles: true }))`);
    assert.match(await page.evaluate<string>(`document.querySelector('#closeup output').textContent`), /, short: /);
    await page.evaluate(`document.querySelector('#zoom [data-zoom-by="all"]').click()`);
    assert.equal(await marked(), 0);
    const tracks = await page.evaluate<string>(
      `document.querySelector('#profit-by-side .field').getAttribute('width')`,
    );
    assert.equal(tracks, '100%', 'the chart of both sides follows the zoom');
  }),
);
