import type { UseCasesOf } from '../use-cases.js';
import type { Portfolios } from './portfolios.js';

export const portfolioMethods = (portfolios: Portfolios): UseCasesOf<'Portfolios'> => ({
  'Portfolios.Run': (request, { caller, signal }) => portfolios.run(caller, request, signal),
  'Portfolios.Submit': (request, { caller }) => portfolios.submit(caller, request),
  'Portfolios.Get': ({ portfolio_id: id }, { caller }) => portfolios.get(caller, id),
  'Portfolios.ListTrades': (request, { caller }) => portfolios.listTrades(caller, request.portfolio_id, request),
  'Portfolios.List': (request, { caller }) => portfolios.list(caller, request),
  'Portfolios.Cancel': ({ portfolio_id: id }, { caller }) => portfolios.cancel(caller, id),
  'Portfolios.Archive': ({ portfolio_id: id }, { caller }) => portfolios.setArchived(caller, id, true),
  'Portfolios.Unarchive': ({ portfolio_id: id }, { caller }) => portfolios.setArchived(caller, id, false),
});
