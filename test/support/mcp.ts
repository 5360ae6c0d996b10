import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
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
