import { randomUUID } from 'node:crypto';
import type { Capability, Foundation } from '../capability.js';
import { createAccount, getAccount, listAccounts, updateAccount } from './accounts.js';
import { closePosition, evaluateBulk, evaluateInline, evaluateStrategy } from './evaluate-strategy.js';
import { getPortfolio, getPosition, listPositions, listTrades } from './listings.js';
import { type ExecutionServices, SqlExecutionStore } from './store.js';

/** Execution on paper accounts. */
export function openExecution({ state, market, clock, onWarnings }: Foundation): Capability<'Execution'> {
  const store = new SqlExecutionStore(state.db);
  const services: ExecutionServices = { store, market, now: clock, newId: randomUUID, onWarnings };
  return {
    methods: {
      'Execution.Evaluate': (request, { caller }) => evaluateStrategy(caller, request, services),
      'Execution.EvaluateInline': (request, { caller }) => evaluateInline(caller, request, services),
      'Execution.EvaluateBulk': (request, { caller }) => evaluateBulk(caller, request, services),
      'Execution.GetPortfolio': (request, { caller }) => getPortfolio(caller, request, services),
      'Execution.ListAccounts': (request, { caller }) => listAccounts(caller, request, services),
      'Execution.CreateAccount': (request, { caller }) => createAccount(caller, request, services),
      'Execution.GetAccount': ({ id }, { caller }) => getAccount(caller, id, services),
      'Execution.UpdateAccount': ({ id, ...settings }, { caller }) => updateAccount(caller, id, settings, services),
      'Execution.ListPositions': (request, { caller }) => listPositions(caller, request, services),
      'Execution.GetPosition': ({ id }, { caller }) => getPosition(caller, id, services),
      'Execution.ClosePosition': ({ id }, { caller }) => closePosition(caller, id, services),
      'Execution.ListTrades': (request, { caller }) => listTrades(caller, request, services),
    },
  };
}
