import { type Document, readDocuments } from '../../data/docs/index.js';
import { notFound, requireFields } from '../api-error.js';
import type { Capability, Foundation } from '../capability.js';
import { type Checks, isHealthy, runChecks } from './checks.js';
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

interface DocumentContent {
  readonly content: string;
  readonly path: string;
  /**
   * Always null, since some clients read the key; a document that cannot be read is refused
   * instead.
   */
  readonly error: null;
}

/**
 * Serves the documentation that ships with the service. A path is only compared with the listed
 * ones and never opened.
 */
class Documentation {
  #documents: readonly Document[] | null = null;

  /** @param read called for the first request; its answer is kept */
  constructor(private readonly read: () => Promise<readonly Document[]>) {}

  async list(): Promise<{ readonly docs: readonly Pick<Document, 'path' | 'name' | 'title'>[] }> {
    const documents = await this.#all();
    return { docs: documents.map(({ path, name, title }) => ({ path, name, title })) };
  }

  /** @throws MISSING_FIELD without a path, RESOURCE_NOT_FOUND for a path that is not listed */
  async get(request: { readonly path?: string }): Promise<DocumentContent> {
    requireFields(request, ['path']);
    const { path = '' } = request;
    const found = (await this.#all()).find((document) => document.path === path);
    if (found === undefined) throw notFound('document', path);
    return { content: found.content, path, error: null };
  }

  async #all(): Promise<readonly Document[]> {
    this.#documents ??= await this.read();
    return this.#documents;
  }
}
