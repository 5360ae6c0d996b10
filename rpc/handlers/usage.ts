import type { Usage } from '../../service/usage/index.js';
import type { HandlersOf } from '../calls.js';

export const usageHandlers = (usage: Usage): HandlersOf<'Usage'> => ({
  'Usage.Get': (_, { caller, credentials }) => usage.get(caller, credentials.managementKey),
  'Usage.ListPrices': () => usage.listPrices(),
  'Usage.ListTiers': () => usage.listTiers(),
  'Usage.GetSubscription': (_, { caller }) => usage.getSubscription(caller),
  'Usage.GetUserMetrics': (_, { caller }) => usage.getUserMetrics(caller),
  'Usage.GetUtilization': (_, { caller }) => usage.getUtilization(caller),
});
