import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const read = (path: string, headers: Record<string, string>): Promise<Response> =>
  fetch(`${service.origin}${path}`, { headers });

test('browsers get the page under a strict policy, other clients the overview', async () => {
  const page = await read('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(policy, /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
  assert.ok(!policy.includes('unsafe-inline') && !policy.includes("'unsafe-eval'"));
  assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin');
  assert.equal(page.headers.get('cross-origin-embedder-policy'), 'require-corp');
  const html = await page.text();
  assert.ok(!/<script(?![^>]*\bsrc=)|<style|\son\w+=/.test(html), 'nothing stands in the page itself');
  for (const accept of ['*/*', 'application/json']) {
    const { name } = (await (await read('/', { accept })).json()) as { name: string };
    assert.equal(name, 'Barline');
  }
});

test('the files of the page are compressed, kept for good, and nothing else is served', async () => {
  const html = await (await read('/', { accept: 'text/html' })).text();
  const files = [...html.matchAll(/\/app\/[\w.-]+/g)].map(([file]) => file);
  assert.equal(files.length, 2);
  for (const file of files) {
    const answer = await read(file, { 'accept-encoding': 'gzip' });
    assert.deepEqual([answer.status, answer.headers.get('content-encoding')], [200, 'gzip'], file);
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
    assert.ok((await answer.text()).length > 1_000);
    assert.equal((await read(file, { 'accept-encoding': 'identity' })).headers.get('content-encoding'), null);
  }
  for (const path of ['/app/none.js', '/app/..%2findex.html', '/app/%2e%2e/LICENSES.txt']) {
    assert.equal((await read(path, {})).status, 404, path);
  }
});
