import { type SyntheticModel, syntheticFile } from './synthetic-dataset.js';

interface Preset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly model: SyntheticModel;
  /** A strategy to try on its series. */
  readonly strategy: Readonly<Record<string, unknown>>;
}

const rule = (name: string, signal_type: 'TRIGGER' | 'FILTER', timeframe: string, params: object) => ({
  name,
  signal_type,
  timeframe,
  params,
});

const trend = (asset: string, timeframe: string) => ({
  name: 'Average cross',
  asset,
  entry: [
    rule('ema_cross_up', 'TRIGGER', timeframe, { window_fast: 9, window_slow: 21 }),
    rule('is_above_sma', 'FILTER', timeframe, { window: 50 }),
  ],
  exit: [rule('ema_cross_down', 'TRIGGER', timeframe, { window_fast: 9, window_slow: 21 })],
  reward_factor: 3,
});

const recovery = (asset: string, timeframe: string) => ({
  name: 'Recovery',
  asset,
  entry: [
    rule('bb_lower_breakout', 'TRIGGER', timeframe, { window: 20, window_dev: 2 }),
    rule('rsi_oversold', 'FILTER', timeframe, { window: 14, threshold: 35 }),
  ],
  exit: [rule('rsi_cross_up', 'TRIGGER', timeframe, { window: 14, threshold: 50 })],
  reward_factor: 1.5,
});

const table: readonly Preset[] = [
  {
    id: 'bull-run',
    name: 'Bull run',
    description: 'Three months of hourly bars, mostly rising.',
    model: {
      asset: 'BTC',
      timeframe: '1h',
      duration_days: 90,
      n_agents: 500,
      initial_price: 40_000,
      market_condition: 'bullish',
      volatility: 0.6,
      seed: 40,
    },
    strategy: trend('BTC', '1h'),
  },
  {
    id: 'bear-market',
    name: 'Bear market',
    description: 'Half a year of four-hour bars, mostly falling.',
    model: {
      asset: 'ETH',
      timeframe: '4h',
      duration_days: 180,
      n_agents: 300,
      initial_price: 2_500,
      market_condition: 'bearish',
      volatility: 0.75,
      seed: 7,
    },
    strategy: recovery('ETH', '4h'),
  },
  {
    id: 'quiet-range',
    name: 'Quiet range',
    description: 'Two months of hourly bars without much of a direction.',
    model: {
      asset: 'BTC',
      timeframe: '1h',
      duration_days: 60,
      n_agents: 1_000,
      initial_price: 60_000,
      market_condition: 'neutral',
      volatility: 0.3,
      seed: 11,
    },
    strategy: recovery('BTC', '1h'),
  },
  {
    id: 'wild-swings',
    name: 'Wild swings',
    description: 'A month of quarter-hour bars of a small and nervous market.',
    model: {
      asset: 'SOL',
      timeframe: '15m',
      duration_days: 30,
      n_agents: 50,
      initial_price: 100,
      market_condition: 'neutral',
      volatility: 1.4,
      seed: 57,
    },
    strategy: trend('SOL', '15m'),
  },
];

export const presetModel = (id: unknown): SyntheticModel | undefined => table.find((preset) => preset.id === id)?.model;

const byFile = new Map(table.map(({ model }) => [syntheticFile(model), model]));

/** Series of presets are available to every caller, generated or not. */
export const presetDataset = (file: string): SyntheticModel | undefined => byFile.get(file);

/**
 * Each preset is a body that generates its series; its `request` is a body that runs a strategy on
 * that series.
 */
export const listPresets = () =>
  table.map(({ id, name, description, model: { asset, ...model }, strategy }) => ({
    id,
    name,
    description,
    asset_name: asset,
    ...model,
    request: { dataset_file: syntheticFile({ asset, ...model }), strategy_config: strategy },
  }));
