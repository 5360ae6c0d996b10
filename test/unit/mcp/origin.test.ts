import assert from 'node:assert/strict';
import test from 'node:test';
import { checkOrigin } from '../../../mcp/mount.js';

const here = { host: '127.0.0.1', origins: ['https://app.example.com'] };
const anywhere = { host: '0.0.0.0', origins: [] };

test('programs, pages of this machine and pages of named origins are let through', () => {
  for (const origin of [
    undefined,
    'http://localhost:6274',
    'http://127.0.0.1',
    'http://[::1]:3000',
    'https://app.example.com',
  ]) {
    for (const host of [undefined, 'localhost:5001', '127.0.0.1:5001', '[::1]:5001', 'app.example.com']) {
      assert.doesNotThrow(() => checkOrigin(here, { origin, host }), `${origin} ${host}`);
    }
  }
  assert.doesNotThrow(() => checkOrigin(anywhere, { origin: undefined, host: 'barline.internal:5001' }));
});

test('pages of other origins are refused', () => {
  const foreign = [
    'https://evil.example',
    'http://localhost.evil.example',
    'http://app.example.com',
    'null',
    'file://',
    'x',
  ];
  for (const door of [here, anywhere]) {
    for (const origin of foreign) {
      assert.throws(() => checkOrigin(door, { origin, host: 'localhost' }), { code: 'PERMISSION_DENIED' }, origin);
    }
  }
});

test('a name that leads to this machine is refused where the server listens on this machine only', () => {
  for (const host of ['evil.example', 'evil.example:5001', 'localhost.evil.example', '']) {
    assert.throws(() => checkOrigin(here, { origin: undefined, host }), { code: 'PERMISSION_DENIED' }, host);
  }
});
