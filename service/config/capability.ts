import type { UseCasesOf } from '../use-cases.js';
import { type Checks, isHealthy, runChecks } from './checks.js';
import type { Documentation } from './documentation.js';
import { executionDefaults, tradingDefaults } from './trading-defaults.js';

interface ConfigParts {
  readonly version: string;
  /** Health checks by name; each resolves, or fails with the reason. */
  readonly checks: Checks;
  /** Further checks, before the server gets new requests. */
  readonly readinessChecks: Checks;
  readonly documentation: Documentation;
}

export const configMethods = ({
  version,
  checks,
  readinessChecks,
  documentation,
}: ConfigParts): UseCasesOf<'Config'> => ({
  'Config.GetTradingDefaults': async () => ({ defaults: tradingDefaults() }),
  'Config.GetExecutionDefaults': async () => ({ defaults: executionDefaults() }),
  'Config.GetHealth': async ({ readiness = false }) => {
    const results = await runChecks(readiness ? { ...checks, ...readinessChecks } : checks);
    return { status: isHealthy(results) ? 'healthy' : 'unhealthy', service: 'barline', version, checks: results };
  },
  'Config.ListDocs': () => documentation.list(),
  'Config.GetDoc': (request) => documentation.get(request),
});
