import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test, { after, before } from 'node:test';
import { type OpenPage, sharedBrowser, until } from '../support/browser.js';
import { browserOptions } from '../support/pages.js';
import { type ServiceWithWorkbench, startTestService } from '../support/service.js';

let service: ServiceWithWorkbench;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What assistive technology misses, as axe finds it. */
async function requireAccess(page: OpenPage): Promise<void> {
  await page.evaluate(`${axe}; null`);
  const found = await page.evaluate<{ id: string; nodes: string[] }[]>(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 120)) })))`);
  assert.deepEqual(found, []);
}

const summary = `document.querySelector('.summary dl')?.innerText`;

test('a newcomer opens the address, sees the example run, and moves a slider', browserOptions, async () => {
  const browser = await sharedBrowser();
  const address = await service.openWorkbench();
  const page = await browser.visit(address, { width: 1440, height: 1000, theme: 'light' });
  await until(page, `${summary}?.includes('trades')`);
  assert.equal(await page.evaluate('crossOriginIsolated'), true);
  assert.equal(await page.evaluate('location.hash.includes("token")'), false, 'the token leaves the address');
  const first = await page.evaluate<string>(summary);
  await page.evaluate(`(() => {
    const slider = document.querySelector('.rule input[type=range]');
    slider.value = 30;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await until(page, `${summary} !== ${JSON.stringify(first)}`);
  await requireAccess(page);
  const foreign = page.requests.filter((url) => !url.startsWith(service.origin) && !/^(data|blob):/.test(url));
  assert.deepEqual(foreign, []);
  assert.deepEqual(page.complaints, []);

  // Another view of the same place, from its address.
  await until(page, 'location.hash.includes("30")');
  const second = await page.evaluate<string>(summary);
  const copy = await page.evaluate<string>('location.href');
  await page.close();
  const again = await browser.visit(copy, { width: 1440, height: 1000, theme: 'dark' });
  await until(again, `${summary} === ${JSON.stringify(second)}`);
  await requireAccess(again);
  assert.deepEqual(again.complaints, []);
  await again.close();
});

test('the window moves by keys, a trade zooms the candles, and a wrong setting is named', browserOptions, async () => {
  const browser = await sharedBrowser();
  const page = await browser.visit(await service.openWorkbench(), { width: 1440, height: 1000 });
  await until(page, `${summary}?.includes('trades')`);
  const first = await page.evaluate<string>(summary);
  await page.evaluate(`(() => {
    const end = document.querySelector('[aria-label="End of the window"]');
    for (let i = 0; i < 8; i++) end.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown' }));
  })()`);
  await until(page, `${summary} !== ${JSON.stringify(first)} && document.querySelector('.result[aria-busy=false]')`);
  await page.evaluate(`document.querySelectorAll('.trades tbody tr')[2].click()`);
  await until(page, `document.querySelector('.trades tr.picked')`);
  await page.evaluate(`[...document.querySelectorAll('[role=tab]')][1].click()`);
  await until(page, `document.querySelector('[aria-label="Settings"]')`);
  await page.evaluate(`(() => {
    const field = document.querySelector('[aria-label="Settings"] .field input[type=text]');
    field.value = '7';
    field.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
  await until(page, `document.querySelector('[role=alert]')?.innerText.includes('fee_pct')`);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test(
  'stored runs take tags, notes and the archive mark, and the held series lead to a run',
  browserOptions,
  async () => {
    const browser = await sharedBrowser();
    const page = await browser.visit(await service.openWorkbench(), { width: 1440, height: 1000 });
    await until(page, `${summary}?.includes('trades')`);
    const made = await page.evaluate<string>(`(async () => {
    const { session } = window.barline.series;
    const strategy = { name: 'dip', entry: [{ name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} }], exit: [] };
    const { data, error } = await session.api.POST('/api/v2/backtests', { body: {
      strategy_json: JSON.stringify(strategy), asset: 'BTC', interval: '1h', start_date: '2024-01-01', end_date: '2024-02-01' } });
    return error?.message ?? 'submitted';
  })()`);
    assert.equal(made, 'submitted');
    await page.evaluate(`location.hash = '#/runs'`);
    await until(page, `document.querySelector('.list tbody tr')?.innerText.includes('dip')`);
    await page.evaluate(`(() => {
    const tags = document.querySelector('.list [aria-label^="Tags"]');
    tags.value = 'first, dip';
    tags.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
    await until(page, `document.querySelector('[role=status]').innerText === 'Kept.'`);
    await requireAccess(page);
    await page.evaluate(`document.querySelector('.list .link').click()`);
    await until(page, `document.querySelectorAll('.list tbody tr').length === 0`);
    await page.evaluate(`document.querySelector('.filters [type=checkbox]').click()`);
    await until(page, `document.querySelector('.list [aria-label^="Tags"]')?.value === 'first, dip'`);
    await page.evaluate(`location.hash = '#/data'`);
    await until(page, `document.querySelectorAll('.list tbody tr').length > 3`);
    await requireAccess(page);
    await page.evaluate(
      `[...document.querySelectorAll('.list tr')].find((row) => row.innerText.includes('ETH') && row.innerText.includes('1d')).querySelector('a').click()`,
    );
    await until(page, `document.querySelector('.series-choice select')?.value === 'ETH 1d'`);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },
);

test('a token signs in once, and a strategy with hostile names runs nothing', browserOptions, async () => {
  const browser = await sharedBrowser();
  const address = await service.openWorkbench();
  const first = await browser.visit(address, { width: 1280 });
  await until(first, `${summary}?.includes('trades')`);
  await first.evaluate(`localStorage.clear()`);
  await first.close();
  const second = await browser.visit(address, { width: 1280 });
  await until(second, `document.querySelector('.sign-in [role=alert]')?.innerText.includes('refused')`);
  await second.close();
  const hostile = {
    strategy: {
      name: '<img src=x onerror=alert(1)>',
      entry: [{ name: '<script>alert(2)</script>', signal_type: 'TRIGGER' }],
    },
  };
  const page = await browser.visit(await service.openWorkbench(), { width: 1280 });
  await until(page, `${summary}?.includes('trades')`);
  await page.evaluate(
    `location.hash = '#/run?' + new URLSearchParams({ run: ${JSON.stringify(JSON.stringify(hostile))} }); location.reload()`,
  );
  await until(page, `document.body.innerText.includes('<script>alert(2)</script>')`);
  assert.equal(await page.evaluate(`document.querySelectorAll('main img, main script').length`), 0);
  await page.close();
});
