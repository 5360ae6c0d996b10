import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { sharedService } from '../../support/contract.js';
import type { TestService } from '../../support/service.js';

/** Bytes that arrive at the port and are no request. */

let service: TestService;
test.before(async () => {
  service = await sharedService();
});

async function say(bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(service.origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

const cases: readonly [what: string, bytes: string | Uint8Array, message: RegExp][] = [
  ['bytes of another protocol', new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), /cannot be read/],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', /cannot be read/],
  [
    'headers without an end',
    `GET / HTTP/1.1\r\nHost: x\r\nX-Fields: ${'a'.repeat(20_000)}\r\n\r\n`,
    /headers are too large/,
  ],
];

for (const [what, bytes, message] of cases) {
  test(`${what} is refused in the form of all failures`, async () => {
    const answer = await say(bytes);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
    assert.deepEqual([body.success, body.error, body.code], [false, 'validation_error', 'VALIDATION_ERROR']);
    assert.match(String(body.message), message);
    assert.ok(answer.includes(`X-Correlation-Id: ${body.correlation_id}`));
  });
}

test('clients that disconnect in the middle do not affect others', async () => {
  const { hostname, port } = new URL(service.origin);
  for (const bytes of [
    '',
    'POST /api/v1/auth/login HT',
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
  ]) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(bytes);
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  assert.equal((await fetch(`${service.origin}/health`)).status, 200);
});
