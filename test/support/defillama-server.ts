import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { DefiLlama, DefiLlamaPro } from '../../data/upstreams/defi/index.js';
import type { UpstreamLimits } from '../../data/upstreams/upstream.js';
import { goldenPath } from './tree.js';
import { startUpstream, type UpstreamServer } from './upstream-server.js';

export const DEFILLAMA_NOW = Date.UTC(2025, 7, 20);
export const DEFILLAMA_KEY = 'llama-secret-key';

/** By path, the paid ones without their key. `DEFILLAMA_NOW` stands in the times, and fields that are not read do too. */
const answers: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(goldenPath('upstreams/defillama.json'), 'utf8'),
);

/** A server that speaks the formats of the three APIs of DefiLlama. */
export const startDefiLlama = (t: TestContext): Promise<UpstreamServer> =>
  startUpstream(t, ({ path }) => answers[path.replace(`/pro/${DEFILLAMA_KEY}`, '')]);

export const openDefiLlama = ({ url }: UpstreamServer, limits: Partial<UpstreamLimits> = {}): DefiLlama =>
  new DefiLlama({ baseUrl: `${url}/main`, stablecoinsUrl: `${url}/stable`, limits, clock: () => DEFILLAMA_NOW });

export const openDefiLlamaPro = ({ url }: UpstreamServer, limits: Partial<UpstreamLimits> = {}): DefiLlamaPro =>
  new DefiLlamaPro({ key: DEFILLAMA_KEY, baseUrl: `${url}/pro/`, limits, clock: () => DEFILLAMA_NOW });
