import { readDocuments } from '../../data/docs/index.js';
import type { Capability, Foundation } from '../capability.js';
import { type Checks, isHealthy, runChecks } from './checks.js';
import { Documentation } from './documentation.js';
import { executionDefaults, tradingDefaults } from './trading-defaults.js';

/**
 * Defaults, health and documentation.
 * @param readinessChecks further checks, before the server gets new requests
 */
export function openConfig({ state, version, packageRoot }: Foundation, readinessChecks: Checks): Capability<'Config'> {
  const checks: Checks = { database: () => state.ping() };
  const documentation = new Documentation(() => readDocuments(packageRoot));
  return {
    methods: {
      'Config.GetTradingDefaults': async () => ({ defaults: tradingDefaults() }),
      'Config.GetExecutionDefaults': async () => ({ defaults: executionDefaults() }),
      'Config.GetHealth': async ({ readiness = false }) => {
        const results = await runChecks(readiness ? { ...checks, ...readinessChecks } : checks);
        return { status: isHealthy(results) ? 'healthy' : 'unhealthy', service: 'barline', version, checks: results };
      },
      'Config.ListDocs': () => documentation.list(),
      'Config.GetDoc': (request) => documentation.get(request),
    },
  };
}
