import { type BarStore, normaliseAsset } from '../../data/bars/index.js';
import { expectedMaxNormal } from '../../engine/statistics/index.js';
import { countTries, isTry, unrelatedBefore } from '../../engine/sweep/index.js';
import { notFound, requireFields, wrongValue } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { Capability } from '../capability.js';
import type { SqlTries } from './tries.js';

interface LedgerDeps {
  readonly tries: SqlTries;
  readonly bars: Pick<BarStore, 'list'>;
}

const IDENTITIES_MAX = 1_000;

export const ledgerMethods = ({ tries, bars }: LedgerDeps): Capability<'Tries'>['methods'] => {
  /** Of a stored asset only, which bounds what an organization may fill. */
  const storedAsset = async (spelled: string): Promise<string> => {
    const asset = normaliseAsset(spelled);
    if ((await bars.list()).some((entry) => entry.asset === asset)) return asset;
    throw notFound('asset', asset);
  };
  const countOn = async ({ orgId }: Caller, asset: string) => {
    const hashes = await tries.ofAsset(orgId, asset);
    const { [asset]: sweeps = [] } = await tries.judgedSweeps(orgId);
    const all = countTries(hashes);
    const unrelated = unrelatedBefore({ all, earlier: all, sweeps, otherAssets: 0 }, 0);
    return {
      ...{ asset, tries: all, judged_sweeps: sweeps.length, unrelated_tries: unrelated },
      lucky_sharpe: expectedMaxNormal(unrelated),
    };
  };
  return {
    'Tries.Get': async ({ asset }, { caller }) => countOn(caller, await storedAsset(asset)),
    async 'Tries.Report'(request, { caller }) {
      requireFields(request, ['identities']);
      const { identities } = request;
      if (identities.length < 1 || identities.length > IDENTITIES_MAX) {
        throw wrongValue('identities', `a list of 1..${IDENTITIES_MAX} identities`, identities.length, 'INVALID_FIELD');
      }
      const wrong = identities.find((identity) => !isTry(identity));
      if (wrong !== undefined) {
        throw wrongValue('identities', '16 lower-case hexadecimal digits each', wrong, 'INVALID_FIELD');
      }
      const asset = await storedAsset(request.asset);
      await tries.add(caller.orgId, asset, identities);
      return countOn(caller, asset);
    },
  };
};
