import { type Documentation, executionDefaults, tradingDefaults } from '../../service/config/index.js';
import type { HandlersOf } from '../calls.js';

interface Check {
  readonly status: 'healthy' | 'unhealthy';
  readonly error?: string;
}

export interface ConfigParts {
  readonly version: string;
  /** Health checks by name; each resolves, or fails with the reason. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  readonly documentation: Documentation;
}

export const configHandlers = ({ version, checks, documentation }: ConfigParts): HandlersOf<'Config'> => ({
  'Config.GetTradingDefaults': async () => ({ defaults: tradingDefaults() }),
  'Config.GetExecutionDefaults': async () => ({ defaults: executionDefaults() }),
  'Config.GetHealth': async () => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]): Promise<[string, Check]> => {
        try {
          await check();
          return [name, { status: 'healthy' }];
        } catch (error) {
          return [name, { status: 'unhealthy', error: (error as Error).message }];
        }
      }),
    );
    const isHealthy = results.every(([, { status }]) => status === 'healthy');
    return {
      status: isHealthy ? 'healthy' : 'unhealthy',
      service: 'barline',
      version,
      checks: Object.fromEntries(results),
    };
  },
  'Config.ListDocs': () => documentation.list(),
  'Config.GetDoc': (request) => documentation.get(request),
});
