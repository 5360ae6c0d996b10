import type { RunningService } from '../server/index.js';
import { note } from './output.js';

/** Tells the user where the service answers, then `lines`, then that everything is up. */
export function announceService({ origin, rpcAddress }: RunningService, lines: readonly string[] = []): void {
  if (origin !== null) note(`REST   ${origin}/api/v1   docs ${origin}/docs`);
  if (rpcAddress !== null) note(`gRPC   ${rpcAddress}`);
  for (const line of lines) note(line);
  note('ready  Ctrl-C stops it');
}
