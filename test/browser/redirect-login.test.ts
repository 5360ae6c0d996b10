import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { type Browser, chromiumPath, type OpenPage, sharedBrowser, until } from '../support/browser.js';
import { browserOptions } from '../support/pages.js';
import { type RedirectService, startRedirectService } from '../support/redirect-service.js';

let site: RedirectService;
let browser: Browser;
before(async () => {
  if (chromiumPath === undefined) return;
  site = await startRedirectService();
  browser = await sharedBrowser();
});
after(() => site?.stop());

const view = { width: 800 };
const text = (page: OpenPage) => page.evaluate<string>('document.body.innerText');

/** The login that the last page shows. */
async function loginOn(page: OpenPage): Promise<{ user: { email: string } }> {
  await until(page, `document.body.innerText.includes('access_token')`);
  return JSON.parse(await text(page)) as { user: { email: string } };
}

test('typing an address into the sign-in page logs a person in', browserOptions, async () => {
  const page = await browser.visit(site.start, view);
  await page.evaluate(`document.querySelector('input[type=email]').value = 'ann@example.com'`);
  await page.evaluate(`document.querySelector('button').click()`);
  assert.equal((await loginOn(page)).user.email, 'ann@example.com');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a token in the fragment moves to where the server can read it', browserOptions, async () => {
  const idToken = await site.issuer.idToken({ email: 'bob@example.com' });
  const page = await browser.visit(`${site.callback}#id_token=${idToken}&token_type=Bearer`, view);
  assert.equal((await loginOn(page)).user.email, 'bob@example.com');
  assert.equal(await page.evaluate('location.hash + location.search'), `?id_token=${idToken}`);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
