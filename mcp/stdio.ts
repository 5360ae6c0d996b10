import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { BODY_BYTES_MAX } from '../http/index.js';
import type { Source } from './resources.js';
import { chosenSets, openToolbox } from './toolbox.js';

interface StdioOptions {
  readonly version: string;
  /** Opens the service, which may take seconds. Called once, when a client begins to use it. */
  open(): Promise<Source>;
  /** Names of sets of tools separated by commas; null for the usual ones. */
  readonly toolsets: string | null;
  readonly input: Readable;
  readonly output: Writable;
  onBug(error: unknown): void;
}

/**
 * Serves one client over pipes, until it closes its end or `signal` is aborted.
 * @throws ApiError VALIDATION_ERROR for an unknown set of tools; the failure of `open`
 */
export async function serveStdio(options: StdioOptions, signal: AbortSignal): Promise<void> {
  const { version, toolsets, input, output, onBug } = options;
  const sets = chosenSets(toolsets);
  const { serveStdio: serve, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { createServer } = await import('./server.js');
  const tools = openToolbox(version);
  const broken = new AbortController();
  let opened: Promise<Source> | null = null;
  const reach = (): Promise<Source> => {
    if (opened === null) {
      opened = options.open();
      opened.catch((error: unknown) => broken.abort(error));
    }
    return opened;
  };
  const either = { signal: AbortSignal.any([signal, broken.signal]) };
  const ended = Promise.race([once(input, 'end', either), once(input, 'close', either)]).catch(() => {});
  const served = serve(
    ({ era }) => {
      if (era === 'legacy') void reach().catch(() => {}); // newer clients may only ask what this is
      return createServer({ version, tools, sets, onBug, reach });
    },
    { transport: new StdioServerTransport(input, output, { maxBufferSize: BODY_BYTES_MAX }) },
  );
  await ended;
  await served.close();
  if (broken.signal.aborted) throw broken.signal.reason;
}
