import type { UseCasesOf } from '../use-cases.js';
import type { PromoCodes } from './promo-codes.js';

export const promoCodeMethods = (codes: PromoCodes): UseCasesOf<'PromoCodes'> => ({
  'PromoCodes.Create': (request, { credentials }) => codes.create(credentials.managementKey, request),
  'PromoCodes.List': (_, { credentials }) => codes.list(credentials.managementKey),
  'PromoCodes.Revoke': ({ code }, { credentials }) => codes.setActive(credentials.managementKey, code, false),
  'PromoCodes.Reinstate': ({ code }, { credentials }) => codes.setActive(credentials.managementKey, code, true),
  'PromoCodes.ListRedemptions': ({ code }, { credentials }) => codes.listRedemptions(credentials.managementKey, code),
  'PromoCodes.Validate': (request, { caller, credentials }) => codes.validate(caller, request, credentials.address),
  'PromoCodes.Redeem': (request, { caller, credentials }) => codes.redeem(caller, request, credentials.address),
});
