import { type MethodName, meterName } from '../../contract/index.js';
import { HttpFacilitator } from '../../data/facilitator/index.js';
import { EngineError } from '../../engine/errors.js';
import { withoutEnd } from '../../engine/text.js';
import { meters, walletPriceUsd } from '../access/meters.js';
import type { Capability, Foundation } from '../capability.js';
import { repeatedly } from '../repeatedly.js';
import { Seal } from '../seal.js';
import type { ServiceConfig } from '../settings/config.js';
import { releaseOfEnded } from '../work/lease.js';
import { Payments } from './payments.js';
import { SqlPaymentStore } from './store.js';
import { Terms } from './terms.js';

/**
 * Metered methods that a wallet cannot buy: an experiment needs free calls after it, which prove no
 * payer, and columns are streamed, so their bytes leave before they could be settled.
 */
const notSold: readonly MethodName[] = ['Experiments.Create', 'Corpus.QueryColumns'];

/** How often payments in doubt are asked about. */
const RECONCILE_MS = 15_000;

/** The sale of calls to wallets. */
interface Sale extends Capability<never> {
  readonly payments: Payments;
}

/**
 * @param consume counts a call of a wallet against its rate
 * @throws EngineError MISSING_FIELD if only some of the settings of payments are given
 */
export async function openPayments(
  { config, state, secret, clock, rest, onInternalError }: Foundation,
  consume: (who: string) => Promise<void>,
): Promise<Sale> {
  const payTo = required(config, 'BARLINE_X402_PAY_TO');
  const network = required(config, 'BARLINE_X402_NETWORK');
  const url = required(config, 'BARLINE_X402_FACILITATOR');
  const { BARLINE_X402_ASSET: asset, BARLINE_X402_FACILITATOR_KEY: key, BARLINE_X402_TIMEOUT_MS: timeoutMs } = config;
  const publicUrl = config.BARLINE_PUBLIC_URL ?? `http://${config.BARLINE_HTTP_HOST}:${config.BARLINE_HTTP_PORT}`;
  const store = new SqlPaymentStore(state.db);
  await releaseOfEnded(state, store);
  const payments = new Payments({
    store,
    facilitator: new HttpFacilitator({ url, key, timeoutMs }),
    terms: new Terms({
      ...{ network, asset, payTo, priceUsd },
      soldResource: (method) => ({
        url: `${withoutEnd(publicUrl, '/')}${rest.restPath(method)}`,
        description: `One call of ${rest.documentedRoutes(method)[0]}`,
      }),
    }),
    seal: new Seal(secret, 'answers to payments'),
    consume,
    clock,
  });
  let stop = async (): Promise<void> => {};
  const reconciling = {
    start(): void {
      stop = repeatedly(() => payments.reconcile(), RECONCILE_MS, onInternalError);
    },
    stop: () => stop(),
  };
  return { payments, methods: {}, loops: [reconciling], upkeep: () => payments.upkeep() };
}

function priceUsd(method: MethodName): number | null {
  const meter = meterName(method);
  if (meter === null || notSold.includes(method)) return null;
  const price = walletPriceUsd(meters[meter]);
  return price > 0 ? price : null;
}

type PaymentSetting = 'BARLINE_X402_PAY_TO' | 'BARLINE_X402_NETWORK' | 'BARLINE_X402_FACILITATOR';

function required(config: ServiceConfig, name: PaymentSetting): string {
  const value = config[name];
  if (value !== undefined) return value;
  throw new EngineError('MISSING_FIELD', `${name} is required where BARLINE_X402_PAY_TO is set`, { field: name });
}
