/** An experiment that lacks only its datasets. */
interface ExperimentTemplate {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly search_mode: 'grid' | 'random';
  readonly config: Readonly<Record<string, unknown>>;
}

type Values = Readonly<Record<string, readonly number[]>>;

const signal = (signal_type: 'TRIGGER' | 'FILTER') => (name: string, swept: Values) => ({
  name,
  signal_type,
  params_sweep: Object.fromEntries(Object.entries(swept).map(([param, values]) => [param, { values }])),
});
const trigger = signal('TRIGGER');
const filter = signal('FILTER');
const axis = (param: string, values: readonly number[]) => ({ sweep_axes: [{ param, values }] });

/**
 * Each has fewer than a hundred runs on one dataset, so it fits the smallest tier, and reads only
 * prices and volumes, so it fits every dataset. Rules read the dataset's timeframe.
 */
const templates: readonly ExperimentTemplate[] = [
  {
    id: 'momentum',
    name: 'Momentum',
    description: 'Buy when the RSI crosses upwards above a long average, sell when it crosses back.',
    search_mode: 'grid',
    config: {
      entry_signals: {
        triggers: [trigger('rsi_cross_up', { window: [7, 14, 21], threshold: [45, 50, 55] })],
        filters: [filter('is_above_sma', { window: [50, 100] })],
      },
      exit_signals: { triggers: [trigger('rsi_cross_down', { threshold: [40, 50] })], filters: [] },
    },
  },
  {
    id: 'mean-reversion',
    name: 'Mean reversion',
    description: 'Buy a fall out of the Bollinger bands while the RSI is low, sell when the RSI has recovered.',
    search_mode: 'grid',
    config: {
      entry_signals: {
        triggers: [trigger('bb_lower_breakout', { window: [14, 20, 30], window_dev: [2, 3] })],
        filters: [filter('rsi_oversold', { threshold: [30, 35, 40] })],
      },
      exit_signals: { triggers: [trigger('rsi_cross_up', { threshold: [50, 60] })], filters: [] },
    },
  },
  {
    id: 'breakout',
    name: 'Breakout',
    description: 'Buy a rise out of the Bollinger bands while a trend is strong, for targets of several sizes.',
    search_mode: 'grid',
    config: {
      entry_signals: {
        triggers: [trigger('bb_upper_breakout', { window: [14, 20, 30], window_dev: [1, 2] })],
        filters: [filter('adx_strong_trend', { threshold: [20, 25] })],
      },
      exit_signals: { triggers: [trigger('bb_lower_breakout', { window_dev: [2] })], filters: [] },
      execution_config: axis('reward_factor', [2, 3, 4]),
    },
  },
  {
    id: 'trend',
    name: 'Trend following',
    description:
      'Buy when a fast average crosses a slow one above a long one, sell when it crosses back; two stop distances.',
    search_mode: 'grid',
    config: {
      entry_signals: {
        triggers: [trigger('ema_cross_up', { window_fast: [5, 9, 13], window_slow: [21, 34, 55] })],
        filters: [filter('is_above_sma', { window: [100, 200] })],
      },
      exit_signals: { triggers: [trigger('ema_cross_down', { window_fast: [9] })], filters: [] },
      execution_config: axis('atr_volatility_factor', [2, 3]),
    },
  },
  {
    id: 'exploration',
    name: 'Exploration',
    description: 'Fifty random strategies of all signals of prices and volumes, to see what is worth a closer look.',
    search_mode: 'random',
    config: { n_random: 50 },
  },
];

/** The templates as experiments ready to send, once `datasets` is filled. */
export const listTemplates = () =>
  templates.map(({ config, ...template }) => {
    const { name, description, search_mode } = template;
    return {
      ...template,
      datasets_count: 0,
      config: { name, description, search_mode, seed: 42, datasets: [], ...config },
    };
  });
