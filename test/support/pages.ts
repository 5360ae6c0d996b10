import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { type Browser, chromiumPath, type OpenPage, sharedBrowser, type View } from './browser.js';
import { temporaryFolder } from './temporary-folder.js';

/** For tests that need a browser. */
export const browserOptions = {
  timeout: 60_000,
  skip: chromiumPath === undefined ? 'no Chromium on this machine; set CHROMIUM_PATH or install it' : false,
};

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
  return { visit, testWidths };
}
