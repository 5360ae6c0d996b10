import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestService } from './service.js';
import { newHome } from './state.js';
import { commandArgs, root } from './tree.js';

/** The ways in which a client of the protocol reaches a service; each revision in the wild once. */
export const ways = ['stdio', 'http session', 'http'] as const;
export type Way = (typeof ways)[number];

/**
 * A client that is connected with a credential and, unless it says otherwise, all sets of tools.
 * @param mode which revision the client asks for; over stdio, `auto` starts a second process to
 *   find out whether the server has the newest
 */
export async function connect(
  way: Way,
  service: TestService,
  token: string,
  toolsets = 'all',
  mode: 'auto' | 'legacy' = way === 'http session' ? 'legacy' : 'auto',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(way === 'stdio' ? await pipes(service, token, toolsets) : request(service, token, toolsets));
  return client;
}

/** A client of the first generation, which most agents and the inspector have; it asks for all sets. */
export async function connectFirst({ origin }: TestService, token: string): Promise<FirstClient> {
  const client = new FirstClient({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const transport = new FirstTransport(new URL(`${origin}/mcp?toolsets=all`), { requestInit });
  // biome-ignore lint/suspicious/noExplicitAny: its own types disagree under exactOptionalPropertyTypes
  await client.connect(transport as any);
  return client;
}

/** The content of a refused call, as text and as data. */
// biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields it expects
export function refusedContent(result: unknown): any {
  const { isError, structuredContent, content } = result as Record<string, unknown>;
  const texts = (content as { text: string }[]).map(({ text }) => text);
  assert.equal(isError, true, texts.join(' ').slice(0, 500));
  assert.equal(structuredContent, undefined, 'only answers follow the output schema');
  const refused = JSON.parse(texts[1] ?? '');
  assert.equal(texts[0], `${refused.code}: ${refused.message}`);
  assert.equal(texts.length, 2);
  return refused;
}

function request({ origin }: TestService, token: string, toolsets: string): StreamableHTTPClientTransport {
  const url = new URL(`${origin}/mcp${toolsets === '' ? '' : `?toolsets=${toolsets}`}`);
  return new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
}

async function pipes({ rpcAddress }: TestService, token: string, toolsets: string): Promise<StdioClientTransport> {
  const sets = toolsets === '' ? [] : ['--toolsets', toolsets];
  return new StdioClientTransport({
    command: process.execPath,
    args: commandArgs('mcp', '--server', rpcAddress, ...sets),
    cwd: root,
    env: {
      ...(process.env as Record<string, string>),
      NODE_TEST_CONTEXT: '',
      BARLINE_HOME: await newHome(),
      BARLINE_API_KEY: token,
    },
  });
}

/** A tool call of the protocol as plain JSON, for what the client of the SDK does not send. */
export async function post(
  { origin }: TestService,
  body: string | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
