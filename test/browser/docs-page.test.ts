import assert from 'node:assert/strict';
import test from 'node:test';
import { pathOf } from '../../http/route.js';
import { routes } from '../../http/routes/index.js';
import { chromiumPath, startBrowser, until } from '../support/browser.js';
import { browserOptions } from '../support/pages.js';
import { startTestService } from '../support/service.js';

/**
 * An expression that does something at each stretch of the page: the page holds only the operations
 * near the visible ones. It ends with what was added to `seen`.
 */
const whileScrolling = (act: string): string => `(async () => {
  const seen = new Set();
  for (let y = 0; y <= document.documentElement.scrollHeight; y += 600) {
    window.scrollTo(0, y);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)));
    ${act}
  }
  return [...seen];
})()`;

/** Of the background and of the title, 0 to 255. */
const lightness = `(() => {
  const rgb = (selector, property) =>
    getComputedStyle(document.querySelector(selector))[property].match(/\\d+/g).slice(0, 3).map(Number);
  const mean = (values) => (values[0] + values[1] + values[2]) / 3;
  return [mean(rgb('html', 'backgroundColor')), mean(rgb('.swagger-ui .info .title', 'color'))];
})()`;

test('the docs page shows every operation, and logs no error or foreign request', browserOptions, async () => {
  const service = await startTestService();
  const browser = await startBrowser(chromiumPath ?? '');
  try {
    const page = await browser.visit(`${service.origin}/docs`, { width: 1200, theme: 'dark' });
    await until(page, `document.querySelector('.opblock') !== null`);
    const [background = 255, title = 0] = await page.evaluate<number[]>(lightness);
    assert.ok(background < 60 && title > 180, `dark: background ${background}, title ${title}`);
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'light' }] });
    // In the light the page has no background of its own.
    await until(page, `${lightness}[1] < 100`);

    const shown = await page.evaluate<string[]>(
      whileScrolling(`
      for (const block of document.querySelectorAll('.opblock')) {
        const method = block.querySelector('.opblock-summary-method').textContent.toLowerCase();
        seen.add(method + ' ' + block.querySelector('[data-path]').dataset.path);
      }`),
    );
    const expected = ['get /', ...routes.map((route) => `${route.method} ${pathOf(route)}`)];
    assert.deepEqual(shown.sort(), expected.sort());

    const opened = await page.evaluate<string[]>(
      whileScrolling(`
      const summary = document.querySelector('[data-path="/api/v1/config/execution-defaults"]');
      if (summary !== null) {
        summary.closest('button').click();
        return ['opened'];
      }`),
    );
    assert.deepEqual(opened, ['opened']);
    await until(page, `document.querySelector('.try-out__btn') !== null`);
    await page.evaluate(`document.querySelector('.try-out__btn').click()`);
    await until(page, `document.querySelector('.execute') !== null`);
    await page.evaluate(`document.querySelector('.execute').click()`);
    await until(
      page,
      `[...document.querySelectorAll('.opblock.is-open td')].some((cell) => cell.textContent.trim() === '200')`,
    );

    assert.deepEqual(page.complaints, []);
    assert.deepEqual(
      page.requests.filter((url) => new URL(url).origin !== service.origin),
      [],
    );
    const { headers } = await fetch(`${service.origin}/docs`);
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /upgrade-insecure-requests|https?:\/\//);
    await page.close();
  } finally {
    await browser.close();
    await service.stop();
  }
});
