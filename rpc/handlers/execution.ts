import {
  createAccount,
  type EvaluateBulkRequest,
  type EvaluateInlineRequest,
  type EvaluateSavedRequest,
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
  type PositionsRequest,
  type TradesRequest,
  updateAccount,
} from '../../service/execution/index.js';
import type { Handlers } from '../calls.js';

type Id = { readonly id: string };
type Fields = Readonly<Record<string, unknown>>;

export const executionHandlers = (services: ExecutionServices): Handlers => ({
  'Execution.Evaluate': (request: EvaluateSavedRequest, { caller }) => evaluateStrategy(caller, request, services),
  'Execution.EvaluateInline': (request: EvaluateInlineRequest, { caller }) => evaluateInline(caller, request, services),
  'Execution.EvaluateBulk': (request: EvaluateBulkRequest, { caller }) => evaluateBulk(caller, request, services),
  'Execution.GetPortfolio': (request: Fields, { caller }) => getPortfolio(caller, request, services),
  'Execution.ListAccounts': (request: Fields, { caller }) => listAccounts(caller, request, services),
  'Execution.CreateAccount': (request: Fields, { caller }) => createAccount(caller, request, services),
  'Execution.GetAccount': ({ id }: Id, { caller }) => getAccount(caller, id, services),
  'Execution.UpdateAccount': ({ id, ...settings }: Id & Fields, { caller }) =>
    updateAccount(caller, id, settings, services),
  'Execution.ListPositions': (request: PositionsRequest, { caller }) => listPositions(caller, request, services),
  'Execution.GetPosition': ({ id }: Id, { caller }) => getPosition(caller, id, services),
  'Execution.ListTrades': (request: TradesRequest, { caller }) => listTrades(caller, request, services),
});
