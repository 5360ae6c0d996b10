import { errorMessage } from '../../engine/errors.js';

/** Checks by name; each resolves, or fails with the reason. */
export type Checks = Readonly<Record<string, () => Promise<void>>>;

interface CheckResult {
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  readonly error?: string;
}

/** What a check throws where something is away without which the service does its work. */
export class Degraded extends Error {
  override readonly name = 'Degraded';
}

export const isHealthy = (results: Readonly<Record<string, CheckResult>>): boolean =>
  Object.values(results).every(({ status }) => status !== 'unhealthy');

/** Shorter than callers wait, so that they learn which check takes long. */
const CHECK_MS_MAX = 2_000;

/** Runs all checks at once. One that does not answer in time has failed. */
export async function runChecks(checks: Checks): Promise<Readonly<Record<string, CheckResult>>> {
  const results = Object.entries(checks).map(async ([name, check]): Promise<[string, CheckResult]> => {
    try {
      await withinTime(check());
      return [name, { status: 'healthy' }];
    } catch (error) {
      const status = error instanceof Degraded ? 'degraded' : 'unhealthy';
      return [name, { status, error: errorMessage(error) }];
    }
  });
  return Object.fromEntries(await Promise.all(results));
}

async function withinTime(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS_MAX} ms`)), CHECK_MS_MAX);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
