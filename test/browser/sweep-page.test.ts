import assert from 'node:assert/strict';
import test from 'node:test';
import { renderSweep, type SweepSheet } from '../../report/index.js';
import { browserOptions, pagesInBrowser } from '../support/pages.js';
import { idleSweepSheet, randomSweepSheet } from '../support/sweep-sheet.js';

/** The same runs ranked by drawdown, two fifths of them with too few trades to lead. */
const lowestFirst = (sheet: SweepSheet): SweepSheet => {
  const explored = sheet.explored!;
  const metrics = explored.metrics.toSorted((a, b) => Number(b.name === by) - Number(a.name === by));
  return { ...sheet, by, minTrades: 50, explored: { ...explored, metrics } };
};
const by = 'max_drawdown';

const pages = {
  plain: () => renderSweep(randomSweepSheet({ title: '<script>alert(1)</script>' })),
  idle: () => renderSweep(idleSweepSheet('skipped')),
  walked: () => renderSweep(randomSweepSheet({ walksForward: true })),
  lowest: () => renderSweep(lowestFirst(randomSweepSheet())),
  large: () => renderSweep(randomSweepSheet({ runCount: 20_000 })),
};
const { visit, testWidths, testReading } = pagesInBrowser(pages);

testWidths(390, 820, 1440);

/** Chooses a value of a list as a reader would. */
const choose = (selector: string, value: string) => `{
  const list = document.querySelector('${selector}');
  const wanted = ${JSON.stringify(value)};
  const all = [...list.options];
  list.value = (all.find((one) => one.text === wanted) ?? all.find((one) => one.value === wanted)).value;
  list.dispatchEvent(new Event('change', { bubbles: true }));
}`;
/** Resolves after the next frame has been drawn. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';
const cells = `[...document.querySelectorAll('.heat tr')].map((row) => [...row.cells].map((cell) => cell.textContent + '|' + cell.className + '|' + cell.style.getPropertyValue('--a')).join(';'))`;

test('the script draws the same heat map as the page without the script', browserOptions, async () => {
  for (const name of ['plain', 'lowest'] as const) {
    const seen: string[][] = [];
    for (const script of [true, false]) {
      await visit(name, { width: 1440, script }, async (page) => {
        seen.push(await page.evaluate<string[]>(cells));
        assert.equal(await page.evaluate<boolean>(`document.getElementById('coordinates').hidden`), !script);
      });
    }
    assert.ok(seen[0]!.length > 2);
    assert.deepEqual(seen[0], seen[1]);
    assert.equal(
      /\*\|none\|;/.test(seen[0]!.join('')),
      name === 'lowest',
      'cells of runs with too few trades have no colour',
    );
  }
});

test('the heat map follows the lists, and arrow keys move through its cells', browserOptions, () =>
  visit('plain', { width: 1440 }, async (page) => {
    const caption = `document.querySelector('.heat caption').textContent`;
    const before = await page.evaluate<string[]>(cells);
    await page.evaluate(choose('[data-heat=x]', 'entry trigger'));
    await page.evaluate(choose('[data-heat=y]', 'stop_loss_calculation'));
    assert.notDeepEqual(await page.evaluate<string[]>(cells), before);
    assert.match(await page.evaluate<string>(caption), /entry trigger across, stop_loss_calculation down/);
    await page.evaluate(choose('[data-heat=of]', 'count'));
    const counts = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.heat tbody td')].map((cell) => cell.textContent)`,
    );
    assert.equal(
      counts.reduce((sum, text) => sum + Number(text), 0),
      400,
    );
    await page.evaluate(choose('[data-heat=metric]', 'Max drawdown'));
    await page.evaluate(choose('[data-heat=of]', 'median'));
    assert.match(await page.evaluate<string>(caption), /^Max drawdown \(lower is better\), median/);
    const told = await page.evaluate<string>(`{
      const cell = document.querySelector('.heat tbody td');
      cell.focus();
      cell.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      document.activeElement === document.querySelectorAll('.heat tbody td')[1] && document.querySelector('#heat-map output').textContent;
    }`);
    assert.match(told, /^entry trigger sma_cross_up, stop_loss_calculation fixed: median Max drawdown .+ run \d+$/);
  }),
);

test('lists and dragging keep the runs between two values of a coordinate', browserOptions, () =>
  visit('plain', { width: 1440 }, async (page) => {
    const told = `document.querySelector('#coordinates > output').textContent`;
    const all = await page.evaluate<string>(told);
    assert.match(all, /^400 runs of 400; the best has Sharpe ratio/);
    await page.evaluate(choose('[data-coords=axis]', 'reward_factor'));
    await page.evaluate(choose('[data-coords=from]', '3'));
    await page.evaluate(drawn);
    const limited = await page.evaluate<string>(told);
    const { reward_factor } = Object.fromEntries(
      randomSweepSheet().explored!.parameters.map((one) => [one.name, one.codes]),
    );
    const expected = reward_factor!.filter((code) => code === 3).length;
    assert.match(limited, new RegExp(`^${expected} runs of 400 with reward_factor 3;`));
    await page.evaluate(choose('[data-coords=top]', '10'));
    await page.evaluate(drawn);
    assert.match(await page.evaluate<string>(told), /^10 runs of 400 with/);
    await page.evaluate(`document.querySelector('[data-coords=clear]').click()`);
    await page.evaluate(choose('[data-coords=top]', '0'));
    await page.evaluate(drawn);
    assert.equal(await page.evaluate<string>(told), all);
    await page.evaluate(
      `document.querySelector('[data-grip="0"]').scrollIntoView({ block: 'center', behavior: 'instant' })`,
    );
    const { x, top, bottom } = await page.evaluate<{ x: number; top: number; bottom: number }>(
      `(() => { const r = document.querySelector('[data-grip="0"]').getBoundingClientRect(); return { x: r.x + r.width / 2, top: r.top + 5, bottom: r.bottom }; })()`,
    );
    const mouse = (type: string, y: number) =>
      page.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 });
    await mouse('mousePressed', top);
    await mouse('mouseMoved', (top + bottom) / 2);
    await mouse('mouseReleased', (top + bottom) / 2);
    await page.evaluate(drawn);
    const [, kept] = /^(\d+) runs? of 400 with/.exec(await page.evaluate<string>(told)) ?? [];
    assert.ok(Number(kept) > 0 && Number(kept) < 400, `${kept} kept`);
  }),
);

testReading(1_440, 'plain', 'lowest');
