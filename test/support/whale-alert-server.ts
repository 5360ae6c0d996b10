import type { WhalesPort, WhaleTransfer } from '../../data/upstreams/whales/index.js';
import { tokenOf } from './onchain-world.js';
import type { UpstreamAnswer } from './upstream-server.js';

/** Answers in the format of Whale Alert's API, version 1: the oldest transfers first, by cursor. */
export function whaleAlertAnswers(whales: WhalesPort): UpstreamAnswer {
  return async ({ path, query }) => {
    if (path !== '/v1/transactions') return undefined;
    const [start, end, min, limit] = ['start', 'end', 'min_value', 'limit'].map((name) => Number(query.get(name)));
    const currency = query.get('currency');
    const token = currency === null ? null : tokenOf(currency);
    const { value } = await whales.transfers({ token, usdMin: min!, backMs: (end! - start!) * 1_000 });
    const rows = value.transfers
      .filter(({ timeMs }) => timeMs >= start! * 1_000 && timeMs < end! * 1_000)
      .reverse()
      .map(row);
    const from = Number(query.get('cursor') ?? 0);
    const transactions = rows.slice(from, from + Math.min(100, limit!));
    return {
      result: 'success',
      cursor: String(from + transactions.length),
      count: transactions.length,
      ...(transactions.length === 0 ? {} : { transactions }),
    };
  };
}

const row = (transfer: WhaleTransfer) => ({
  blockchain: transfer.blockchain,
  symbol: transfer.symbol.toLowerCase(),
  id: '1',
  transaction_type: 'transfer',
  hash: transfer.hash,
  from: party(transfer.from),
  to: party(transfer.to),
  timestamp: transfer.timeMs / 1_000,
  amount: transfer.amount,
  amount_usd: transfer.amountUsd,
  transaction_count: 1,
});

const party = ({ address, owner, isExchange }: WhaleTransfer['from']) => ({
  address,
  owner: owner ?? 'unknown',
  owner_type: isExchange ? 'exchange' : 'unknown',
});
