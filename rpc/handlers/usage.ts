import type { Usage } from '../../service/usage/index.js';
import type { Handlers } from '../calls.js';

export const usageHandlers = (usage: Usage): Handlers => ({
  'Usage.Get': (_: object, { caller }) => usage.get(caller),
  'Usage.ListPrices': () => usage.listPrices(),
  'Usage.ListTiers': () => usage.listTiers(),
  'Usage.GetSubscription': (_: object, { caller }) => usage.getSubscription(caller),
  'Usage.GetUtilization': (_: object, { caller }) => usage.getUtilization(caller),
});
