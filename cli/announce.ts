import { pathPrefixes } from '../http/paths.js';
import type { RunningService } from '../server/index.js';
import { note } from './output.js';

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
