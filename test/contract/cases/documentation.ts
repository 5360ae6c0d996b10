import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { splitQuestions } from '../../../data/docs/index.js';
import { contract, sharedService } from '../../support/contract.js';
import { root } from '../../support/tree.js';

contract('documents are listed with their titles and read as they are, without their questions', async ({ api }) => {
  const { body } = await api.call('Config.ListDocs');
  const paths = body.docs.map(({ path }: { path: string }) => path);
  assert.equal(paths[0], 'README.md');
  assert.deepEqual(body.docs.slice(0, 2), [
    { path: 'README.md', name: 'README.md', title: 'Barline' },
    { path: 'docs/README.md', name: 'README.md', title: title('docs/README.md') },
  ]);
  for (const path of paths) {
    const { body: read } = await api.call('Config.GetDoc', { path });
    assert.deepEqual({ ...read, error: null }, { path, content: content(path), error: null });
  }
});

const content = (path: string) => splitQuestions(readFileSync(join(root, path), 'utf8')).content;
const title = (path: string) => content(path).split('\n')[0]?.replace('# ', '');

contract('there is no document outside the list', async ({ api }) => {
  for (const path of [
    'package.json',
    '../README.md',
    'docs/adr/../../package.json',
    '/etc/passwd',
    '%2e%2e/README.md',
  ]) {
    assert.equal((await api.call('Config.GetDoc', { path })).code, 'RESOURCE_NOT_FOUND', path);
  }
});

test('the root needs no credential and names the server, its docs and its API', async () => {
  const { origin } = await sharedService();
  const response = await fetch(`${origin}/`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('Content-Type') ?? '', /^application\/json/);
  const { success, name, version, ...places } = (await response.json()) as Record<string, string>;
  assert.deepEqual([success, name], [true, 'Barline']);
  assert.deepEqual(Object.keys(places).sort(), ['api', 'docs', 'health', 'openapi']);
  const status = async (path: string) => (await fetch(`${origin}${path}`)).status;
  for (const place of ['docs', 'openapi', 'health']) assert.equal(await status(places[place] ?? ''), 200, place);
  assert.equal(await status(`${places.api}/config/trading-defaults`), 200);
  const document = (await (await fetch(`${origin}${places.openapi}`)).json()) as {
    info: { version: string };
    paths: Record<string, unknown>;
  };
  assert.equal(version, document.info.version);
  assert.ok('/' in document.paths);
  assert.equal((await fetch(`${origin}/`, { method: 'POST' })).status, 404);
});
