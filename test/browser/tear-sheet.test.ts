import assert from 'node:assert/strict';
import test from 'node:test';
import { renderComparison, renderTearSheet } from '../../report/index.js';
import { worstContrast } from '../support/browser.js';
import { browserOptions, pagesInBrowser } from '../support/pages.js';
import { randomSheet } from '../support/report.js';

const sheets = {
  plain: () => renderTearSheet(randomSheet({ tradeCount: 250, title: '<script>alert(1)</script>' })),
  none: () => renderTearSheet(randomSheet({ tradeCount: 0 })),
  comparison: () => renderComparison([randomSheet(), randomSheet({ seed: 8 }), randomSheet({ seed: 9 })]),
  big: () => renderTearSheet(randomSheet({ barCount: 500_000, tradeCount: 10_000, intervalMs: 300_000 })),
};
const { visit, testWidths } = pagesInBrowser(sheets);

testWidths(360);

const column = (n: number) =>
  `[...document.querySelectorAll('.trades tbody tr')].map((row) => row.cells[${n}].textContent)`;
const number = (text: string): number => Number(text.replace('\u2212', '-').replace(/[,+\u00a0%]/g, ''));

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

test('the script writes the rows as the page had them without it', browserOptions, async () => {
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

test('a trade opens in the close-up, next and wider follow', browserOptions, () =>
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

for (const theme of ['light', 'dark'] as const) {
  for (const name of ['plain', 'none', 'comparison'] as const) {
    test(`${name}: all text of the ${theme} theme has a contrast of 4.5 to 1`, browserOptions, () =>
      visit(name, { width: 1200, theme }, async (page) => {
        const worst = await page.evaluate<{ ratio: number; text: string }>(worstContrast);
        assert.ok(worst.ratio >= 4.5, `${worst.ratio.toFixed(2)} in ${worst.text}`);
      }),
    );
  }
}

test('the toggle overrides the system, and paper is light with all sections and no controls', browserOptions, () =>
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
    assert.equal(await page.evaluate<number>(shown('section')), 9);
  }),
);

test('headings, table headers and charts can be found without sight', browserOptions, () =>
  visit('plain', { width: 1200 }, async (page) => {
    const faults = await page.evaluate<string[]>(`[
      ...[...document.querySelectorAll('th:not([scope])')].map(() => 'header without scope'),
      ...[...document.querySelectorAll('.plot > svg')].filter((svg) => svg.getAttribute('role') !== 'img' || !svg.getAttribute('aria-label')).map(() => 'chart without alternative'),
      ...(document.querySelectorAll('h1').length === 1 ? [] : ['not one h1']),
      ...[...document.querySelectorAll('table')].filter((table) => !table.caption).map(() => 'table without caption'),
      ...[...document.querySelectorAll('[id]')].filter(({ id }, i, all) => all.findIndex((other) => other.id === id) !== i).map(({ id }) => 'id twice: ' + id),
    ]`);
    assert.deepEqual(faults, []);
  }),
);
