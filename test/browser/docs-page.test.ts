import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { routes } from '../../http/routes.js';
import { type OpenPage, sharedBrowser, until } from '../support/browser.js';
import { browserOptions } from '../support/pages.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** Of the background and of the text of the page, 0 to 255. */
const lightness = `(() => {
  const mean = (element, property) => {
    const [red, green, blue] = getComputedStyle(element)[property].match(/\\d+/g).map(Number);
    return (red + green + blue) / 3;
  };
  const shown = document.querySelector('openapi-explorer').shadowRoot.querySelector('.nav-bar-info, .nav-bar-section');
  return [mean(document.body, 'backgroundColor'), mean(shown, 'color')];
})()`;

/** Everything below the explorer that a selector names, through all shadow roots. */
const all = (selector: string): string => `(() => {
  const found = [];
  const visit = (root) => {
    found.push(...root.querySelectorAll(${JSON.stringify(selector)}));
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) visit(element.shadowRoot);
  };
  visit(document.querySelector('openapi-explorer').shadowRoot);
  return found;
})()`;

const openOperation = (page: OpenPage, id: string): Promise<void> =>
  page.evaluate(`${all('.nav-bar-path')}.find((item) => item.dataset.contentId === ${JSON.stringify(id)}).click()`);

const shownText = `${all('*')}.filter((each) => each.children.length === 0).map((each) => each.textContent.trim())`;

test(
  'the docs page shows every operation with its schema, runs one, and sends nothing elsewhere',
  browserOptions,
  async () => {
    const browser = await sharedBrowser();
    const page = await browser.visit(`${service.origin}/docs`, { width: 1200, theme: 'dark' });
    await until(page, `document.querySelector('openapi-explorer').shadowRoot?.querySelector('.nav-bar-path')`);
    const [background = 255, text = 0] = await page.evaluate<number[]>(lightness);
    assert.ok(background < 60 && text > 150, `dark: background ${background}, text ${text}`);
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'light' }] });
    await until(page, `${lightness}[0] > 200 && ${lightness}[1] < 100`);

    const listed = (
      await page.evaluate<string[]>(`${all('.nav-bar-path')}.map((item) => item.dataset.contentId)`)
    ).filter((id) => !id.startsWith('cmp--')); // a schema, not an operation
    const expected = ['get-/', ...routes.map((route) => `${route.method}-${route.path}`)];
    const plain = (id: string): string => id.replace(/[^\w/.-]/g, '-');
    assert.deepEqual(listed.map(plain).sort(), expected.map(plain).sort());

    await openOperation(page, 'post-/api/v1/backtests');
    await until(page, `${shownText}.includes('start_date')`);

    await openOperation(page, 'get-/api/v1/config/execution-defaults');
    await until(page, `${all('button')}.some((button) => /execute/i.test(button.textContent))`);
    await page.evaluate(`${all('button')}.find((button) => /execute/i.test(button.textContent)).click()`);
    await until(page, `${shownText}.some((text) => text.includes('position_size_calc'))`);

    assert.deepEqual(page.complaints, []);
    assert.deepEqual(
      page.requests.filter((url) => new URL(url).origin !== service.origin),
      [],
    );
    await page.close();
  },
);

test('the policy of the docs page allows scripts and requests of its own server alone', async () => {
  const answer = await fetch(`${service.origin}/docs`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; script-src 'self';.* connect-src 'self';/);
  assert.doesNotMatch(policy, /https?:|unsafe-eval|upgrade-insecure-requests/);
  const scripts = (await answer.text()).match(/(?<=src=")[^"]+/g) ?? [];
  assert.equal(scripts.length, 2);
  for (const path of [...scripts, '/favicon.ico']) {
    const { status, headers } = await fetch(service.origin + path);
    assert.equal(status, 200, path);
    assert.match(headers.get('content-type') ?? '', path.endsWith('.js') ? /javascript/ : /svg/);
  }
});
