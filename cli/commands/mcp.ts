import type { Command } from 'commander';
import { EngineError } from '../../engine/errors.js';
import { clip } from '../../engine/text.js';
import type { RpcClient as Client } from '../../rpc/index.js';
import type { LocalService } from '../../server/index.js';
import type { Environment } from '../environment.js';
import { firstLine } from '../inputs.js';
import { note, print } from '../output.js';

interface McpOptions {
  readonly server?: string;
  readonly key?: string;
  readonly toolsets?: string;
  readonly list?: boolean;
}

export function addMcp(program: Command, environment: Environment): void {
  program
    .command('mcp')
    .description('serve tools for AI agents over standard input and output (Model Context Protocol)')
    .option(
      '--server <host:port>',
      'gRPC address of a running service; default: the service of this home, started if none runs',
    )
    .option('--key <key>', 'API key for that service; better in BARLINE_API_KEY, which other users cannot read')
    .option('--toolsets <names>', 'sets of tools, separated by commas, or all; default: the usual ones')
    .option('--list', 'print the tools and end')
    .action(async ({ server, key, toolsets, list = false }: McpOptions) => {
      if (list) {
        for (const line of (await import('../../mcp/index.js')).toolsPage().split('\n')) print(line);
        return;
      }
      const known = server === undefined ? null : at(server, key ?? environment.apiKey);
      await serve(environment, async () => known ?? openOwn(environment), toolsets ?? null);
    });
}

async function openOwn(environment: Environment): Promise<LocalService> {
  const { openLocalService } = await import('../../server/index.js');
  return openLocalService(environment, await environment.readServiceConfig());
}

function at(server: string, key: string | null): LocalService {
  const address = server.replace(/^grpc:\/\//, '');
  if (!/^(\[[0-9a-fA-F:]+\]|[\w.-]+):\d{1,5}$/.test(address)) {
    const message = `server must be the host:port of gRPC, was ${clip(server, 100)}; for HTTP, give your client the URL of /mcp itself`;
    throw new EngineError('INVALID_FIELD', message, { field: 'server' });
  }
  if (key === null) {
    throw new EngineError('MISSING_FIELD', '--server needs an API key: set BARLINE_API_KEY', { field: 'key' });
  }
  return { address, key, close: async () => {} };
}

async function serve(
  environment: Environment,
  reach: () => Promise<LocalService>,
  toolsets: string | null,
): Promise<void> {
  const { serveStdio } = await import('../../mcp/index.js');
  const { ApiError, RpcClient } = await import('../../rpc/index.js');
  let opening: Promise<{ readonly rpc: Client; readonly reached: LocalService }> | null = null;
  const open = async () => {
    opening = reach().then((reached) => ({ rpc: new RpcClient(reached.address), reached }));
    const { rpc, reached } = await opening;
    return { rpc, options: { authorization: `Bearer ${reached.key}` } };
  };
  const close = async (): Promise<void> => {
    const opened = await opening?.catch(() => null); // it may still be starting
    opened?.rpc.close();
    await opened?.reached.close();
  };
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const onBug = (error: unknown): void => note(`barline: internal error: ${firstLine(String(error))}`);
  const { stdin: input, stdout: output } = process;
  const { version } = environment;
  try {
    await serveStdio({ version, open, toolsets, input, output, onBug }, ending.signal);
  } catch (error) {
    if (error instanceof ApiError) throw new EngineError('INVALID_FIELD', error.message, error.details);
    throw error;
  } finally {
    await close();
  }
}
