import { pathPrefixes } from '../http/paths.js';
import type { RunningService } from '../server/index.js';
import { note } from './output.js';

/** The address of the workbench, which signs one browser in. */
export async function workbenchLine({ openWorkbench }: RunningService): Promise<string[]> {
  if (openWorkbench === null) return [];
  return [`page   ${await openWorkbench()}`, '       signs one browser in, within an hour'];
}

/** Prints the addresses of the service, then `lines`, then that the service is ready. */
export function announceService(
  { origin, rpcAddress, operationsOrigin }: RunningService,
  lines: readonly string[] = [],
): void {
  if (origin !== null) note(`REST   ${origin}${pathPrefixes.v1}   docs ${origin}/docs`);
  if (rpcAddress !== null) note(`gRPC   ${rpcAddress}`);
  if (operationsOrigin !== null) note(`health ${operationsOrigin}/ready   metrics ${operationsOrigin}/metrics`);
  for (const line of lines) note(line);
  note('ready  Ctrl-C stops it');
}
