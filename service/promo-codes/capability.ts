import type { Capability, Foundation } from '../capability.js';
import type { Identity } from '../identity/capability.js';
import { PromoCodes } from './promo-codes.js';
import { SqlPromoCodeStore } from './store.js';

export function openPromoCodes({ state, clock }: Foundation, identity: Identity): Capability<'PromoCodes'> {
  const { managementKey, tiers, cache } = identity;
  const codes = new PromoCodes({ store: new SqlPromoCodeStore(state.db), managementKey, tiers, cache, clock });
  return {
    upkeep: () => codes.upkeep(),
    methods: {
      'PromoCodes.Create': (request, { credentials }) => codes.create(credentials.managementKey, request),
      'PromoCodes.List': (_, { credentials }) => codes.list(credentials.managementKey),
      'PromoCodes.Revoke': ({ code }, { credentials }) => codes.setActive(credentials.managementKey, code, false),
      'PromoCodes.Reinstate': ({ code }, { credentials }) => codes.setActive(credentials.managementKey, code, true),
      'PromoCodes.ListRedemptions': ({ code }, { credentials }) =>
        codes.listRedemptions(credentials.managementKey, code),
      'PromoCodes.Validate': (request, { caller, credentials }) => codes.validate(caller, request, credentials.address),
      'PromoCodes.Redeem': (request, { caller, credentials }) => codes.redeem(caller, request, credentials.address),
    },
  };
}
