import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { type Browser, chromiumPath, type OpenPage, sharedBrowser, type View, worstContrast } from './browser.js';
import { temporaryFolder } from './temporary-folder.js';

/** For tests that need a browser. */
export const browserOptions = {
  timeout: 60_000,
  skip: chromiumPath === undefined ? 'no Chromium on this machine; set CHROMIUM_PATH or install it' : false,
};

/** What assistive technology misses on the page. */
const accessFaults = `[
  ...[...document.querySelectorAll('th:not([scope])')].map(() => 'header without scope'),
  ...[...document.querySelectorAll('[role=img], .plot > svg')].filter((one) => one.getAttribute('role') !== 'img' || !one.getAttribute('aria-label')).map(() => 'picture without alternative'),
  ...[...document.querySelectorAll('select, input')].filter((one) => one.labels.length === 0 && !one.getAttribute('aria-label')).map(() => 'control without label'),
  ...(document.querySelectorAll('h1').length === 1 ? [] : ['not one h1']),
  ...[...document.querySelectorAll('table')].filter((table) => !table.caption).map(() => 'table without caption'),
  ...[...document.querySelectorAll('[id]')].filter(({ id }, i, all) => all.findIndex((other) => other.id === id) !== i).map(({ id }) => 'id twice: ' + id),
]`;

/** Fails where a text has a contrast of less than 4.5 to 1. */
export async function requireContrast(page: OpenPage): Promise<void> {
  const { ratio, text } = await page.evaluate<{ ratio: number; text: string }>(worstContrast);
  assert.ok(ratio >= 4.5, `${ratio.toFixed(2)} in ${text}`);
}

/** Pages on disk and a browser to open them, for the tests of one file. */
export function pagesInBrowser<Name extends string>(pages: Readonly<Record<Name, () => string>>) {
  const folder = temporaryFolder('pages');
  let browser: Browser | undefined;
  before(async () => {
    if (chromiumPath === undefined) return;
    for (const name in pages) writeFileSync(join(folder, `${name}.html`), pages[name]());
    browser = await sharedBrowser();
  });

  /** Opens a page, and fails if it logs an error or sends a network request during the visit. */
  async function visit(name: Name, view: View, look: (page: OpenPage) => Promise<void>): Promise<void> {
    const page = await browser!.open(join(folder, `${name}.html`), view);
    try {
      await look(page);
      assert.deepEqual(page.complaints, [], 'the console stays silent');
      assert.deepEqual(page.requests, [], 'the page sends no network request');
    } finally {
      await page.close();
    }
  }

  /** One test for every page and width. */
  function testWidths(...widths: readonly number[]): void {
    for (const name in pages) {
      for (const width of widths) {
        test(`${name}: no error, no request, and no sideways scrolling at ${width} px`, browserOptions, () =>
          visit(name, { width }, async (page) => {
            assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), width);
          }),
        );
      }
    }
  }

  /** One test for every theme, and one of what assistive technology finds. */
  function testReading(width: number, ...names: readonly Name[]): void {
    for (const theme of ['light', 'dark'] as const) {
      test(`all text of the ${theme} theme has a contrast of at least 4.5 to 1`, browserOptions, async () => {
        for (const name of names) await visit(name, { width, theme }, requireContrast);
      });
    }
    test('assistive technology finds headings, headers, pictures and controls', browserOptions, async () => {
      for (const name of names) {
        await visit(name, { width }, async (page) => {
          assert.deepEqual(await page.evaluate<string[]>(accessFaults), [], name);
        });
      }
    });
  }
  return { visit, testWidths, testReading };
}
