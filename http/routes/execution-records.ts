import { id, jsonObject, time, z } from '../zod.js';
import { denied } from './backtest-schemas.js';
import { executionState } from './strategies.js';

const order = z
  .object({
    id: z.string(),
    order_id: z.string(),
    asset: z.string(),
    side: z.enum(['enter_long', 'exit_long']),
    order_type: z.enum(['market', 'stop_loss', 'take_profit']),
    status: z.enum(['pending', 'filled', 'cancelled']),
    price: z.number(),
    position_size: z.number(),
    position_id: z.string(),
    stop_loss_price: z.number().nullable().optional(),
    take_profit_price: z.number().nullable().optional(),
    history: z.object({
      created: time().nullable(),
      activated: time().nullable(),
      filled: time().nullable(),
      cancelled: time().nullable(),
    }),
  })
  .openapi('Order');

export const position = z
  .object({
    id: id(),
    org_id: id(),
    user_id: id(),
    account_id: id(),
    strategy_id: id().nullable(),
    asset: z.string(),
    exchange: z.string().nullable(),
    entry_price: z.number(),
    exit_price: z.number().nullable(),
    position_size: z.number(),
    cost: z.number(),
    value_at_close: z.number().nullable(),
    open: z.boolean(),
    exit_reason: z.enum(['SL', 'TP', 'SIGNAL', 'MAX_HOLD', 'LOSS_TIMEOUT', 'PROFIT_TIMEOUT', 'MANUAL']).nullable(),
    stop_loss_price: z.number().nullable(),
    take_profit_price: z.number().nullable(),
    created_at: time(),
    entry_timestamp: time(),
    exit_timestamp: time().nullable(),
  })
  .openapi('Position');

/**
 * A position that the caller stores. Its ids and times are the caller's own and come back
 * unchanged.
 */
const keptPosition = z
  .object({
    ...position.shape,
    id: z.string(),
    account_id: z.string(),
    strategy_id: z.string().nullable(),
    created_at: z.string(),
    orders: z.array(order),
  })
  .openapi('KeptPosition');

export const trade = z
  .object({
    id: id(),
    org_id: id(),
    user_id: id(),
    account_id: id(),
    position_id: id(),
    strategy_id: id().nullable(),
    strategy_name: z.string().nullable(),
    outcome: z.enum(['win', 'loss']),
    profit_loss: z.number(),
    profit_loss_pct: z.number(),
    asset: z.string(),
    exchange: z.string().nullable(),
    entry_price: z.number(),
    exit_price: z.number(),
    position_size: z.number(),
    beginning_balance: z.number(),
    ending_balance: z.number(),
    closed_at: time(),
  })
  .openapi('Trade');

export const account = z
  .object({
    success: z.literal(true),
    id: id(),
    org_id: id(),
    user_id: id(),
    account_type: z.enum(['paper', 'live']),
    name: z.string().nullable(),
    cash_balance: z.number(),
    account_value: z.number(),
    min_balance_threshold: z.number(),
    min_trade_amount: z.number(),
    max_open_positions: z.int(),
    max_trades_per_day: z.int(),
    max_risk_per_trade: z.number(),
    risk_params: jsonObject('data of the owner, which the service does not read')
      .nullable()
      .openapi({ type: ['object', 'null'] }),
    active: z.boolean(),
    created_at: time(),
    updated_at: time(),
  })
  .openapi('Account');

export const evaluation = z
  .object({
    success: z.literal(true),
    strategy_id: id().nullable(),
    strategy_name: z.string().nullable(),
    asset: z.string(),
    current_price: z.number(),
    timestamp: time(),
    execution_state: executionState,
    new_orders: z.array(order),
    execution_time_seconds: z.number(),
    user_id: id(),
    org_id: id(),
    open_positions: z.array(keptPosition).optional(),
    denied_signals: denied,
    warnings: z.array(z.string()),
    error: z.null(),
  })
  .openapi('Evaluation');

export const failedEvaluation = z
  .object({
    success: z.literal(false),
    strategy_id: z.string().nullable(),
    strategy_name: z.null(),
    asset: z.null(),
    current_price: z.null(),
    new_orders: z.array(order).max(0),
    error: z.string(),
  })
  .openapi('FailedEvaluation');

export const portfolioEntry = z
  .object({
    strategy_id: id(),
    strategy_name: z.string(),
    asset: z.string(),
    status: z.enum(['draft', 'inactive', 'paper', 'live', 'archived']),
    execution_state: executionState,
    last_evaluated_at: time().nullable(),
    open_positions_count: z.int(),
    recent_trades: z.array(
      trade.pick({ id: true, asset: true, outcome: true, profit_loss: true, profit_loss_pct: true, closed_at: true }),
    ),
  })
  .openapi('PortfolioEntry');
