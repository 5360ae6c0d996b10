import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Frees what nothing refers to any more. A weak reference keeps its object until the turn has
 * ended.
 */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let k = 0; k < 3; k++) {
    await turn();
    collect();
  }
}
