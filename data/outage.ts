import { errorMessage } from '../engine/errors.js';

/** What the service depends on and may lose for a while. */
export type Dependency = 'database' | 'disk' | 'queues' | 'objects';

/** How a dependency fails: each ends by itself or by the operator's hand, and none is a bug. */
export type OutageKind = 'away' | 'full' | 'read_only' | 'busy';

/** Why something that a dependency did not do may succeed later. */
export interface Outage {
  readonly dependency: Dependency;
  readonly kind: OutageKind;
}

/** A failure of a dependency that is away, full or overloaded; its cause is what it reported. */
export class DependencyFault extends Error implements Outage {
  override readonly name = 'DependencyFault';

  constructor(
    readonly dependency: Dependency,
    readonly kind: OutageKind,
    options: { readonly cause: unknown },
  ) {
    super(errorMessage(options.cause), options);
  }
}

/** How many causes are read of an error whose causes form a circle. */
const CAUSES_MAX = 8;

/**
 * The outage behind an error, also where it is the cause of another one; null for any other error.
 * Errors of files are recognised by their code, and by their text where DuckDB or a thread has
 * passed them on without it. Errors of the database and the queues are marked where they arise,
 * since a refused connection alone does not say to what.
 */
export function findOutage(error: unknown): Outage | null {
  let each = error;
  for (let depth = 0; depth < CAUSES_MAX && each instanceof Error; depth++) {
    if (each instanceof DependencyFault) return { dependency: each.dependency, kind: each.kind };
    const kind = kindOfFileError(each);
    if (kind !== null) return { dependency: 'disk', kind };
    each = each.cause;
  }
  return null;
}

/** How a file system fails that has no room or takes no writes; null for any other error. */
export function kindOfFileError(error: Error): 'full' | 'read_only' | null {
  const code = errorCode(error) ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  if (code === 'EROFS') return 'read_only';
  if (/\b(ENOSPC|EDQUOT)\b|no space left on device|disk quota exceeded/i.test(error.message)) return 'full';
  return /\bEROFS\b|read-only file system/i.test(error.message) ? 'read_only' : null;
}

export const errorCode = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};
