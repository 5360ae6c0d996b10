import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test from 'node:test';
import { tempFolder } from '../../support/data-fixtures.js';
import { blocksOf } from '../../support/documents.js';
import { freePort } from '../../support/free-port.js';

const noCaddy = spawnSync('caddy', ['version']).status !== 0 && 'caddy is not installed';

/** The file of the page, with a certificate of its own and other ports. */
function caddyfile(sitePort: number, httpPort: number, upstream: number): string {
  const block = blocksOf('docs/operating.md').find(({ text }) => text.includes('reverse_proxy @public'));
  assert.ok(block !== undefined);
  const site = block.text
    .replace('barline.example.com {', `https://localhost:${sitePort} {\n\ttls internal`)
    .replace('127.0.0.1:5001', `127.0.0.1:${upstream}`);
  return `{\n\tadmin off\n\thttp_port ${httpPort}\n\tskip_install_trust\n}\n${site}\n`;
}

/** Answers `/stream` with one event and keeps the connection, and all else with the request headers. */
const upstream = createServer((asked, answer) => {
  if (asked.url === '/stream') {
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' });
    answer.write('event: ready\ndata: {}\n\n');
    return;
  }
  answer.setHeader('Content-Type', 'application/json');
  answer.end(JSON.stringify(asked.headers));
});

function get(port: number, path: string): Promise<IncomingMessage> {
  const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'gopher' };
  return new Promise((resolve, reject) => {
    request({ host: 'localhost', port, path, headers, rejectUnauthorized: false }, resolve).on('error', reject).end();
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Waits until the proxy has its certificate and knows that the upstream is there. */
async function answering(port: number, caddy: ChildProcess): Promise<void> {
  for (;;) {
    assert.equal(caddy.exitCode, null, 'caddy runs');
    const answer = await get(port, '/').catch(() => null);
    answer?.resume();
    if (answer?.statusCode === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('the Caddy file of the page ends TLS, hides /metrics, sets the address itself and streams at once', {
  skip: noCaddy,
}, async (t) => {
  const folder = tempFolder(t);
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const [sitePort, httpPort] = [await freePort(), await freePort()];
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, caddyfile(sitePort, httpPort, (upstream.address() as AddressInfo).port));
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
  try {
    await answering(sitePort, caddy);
    const headers = JSON.parse(await textOf(await get(sitePort, '/api'))) as Record<string, string>;
    assert.match(headers['x-forwarded-for'] ?? '', /^(127\.0\.0\.1|::1)$/, 'what a client claims is dropped');
    assert.equal(headers['x-forwarded-proto'], 'https');
    const metrics = await get(sitePort, '/metrics');
    metrics.resume();
    assert.equal(metrics.statusCode, 404);
    const stream = await get(sitePort, '/stream');
    const [first] = (await once(stream, 'data')) as [Buffer];
    assert.match(first.toString(), /^event: ready/, 'the first event arrives while the stream is open');
    stream.destroy();
  } finally {
    caddy.kill('SIGKILL'); // a graceful end waits for the open stream
    await once(caddy, 'exit');
    upstream.closeAllConnections();
    upstream.close();
  }
});
