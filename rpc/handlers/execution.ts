import {
  createAccount,
  type ExecutionServices,
  evaluateBulk,
  evaluateInline,
  evaluateStrategy,
  getAccount,
  getPortfolio,
  getPosition,
  listAccounts,
  listPositions,
  listTrades,
  updateAccount,
} from '../../service/execution/index.js';
import type { HandlersOf } from '../calls.js';

export const executionHandlers = (services: ExecutionServices): HandlersOf<'Execution'> => ({
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
  'Execution.ListTrades': (request, { caller }) => listTrades(caller, request, services),
});
