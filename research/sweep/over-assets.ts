import type { BarStore } from '../../data/bars/index.js';
import { EngineError, isRecord, wrongField } from '../../engine/errors.js';
import { type AssetList, listAssets } from '../assets-held.js';

/**
 * A plan over other assets: each of them at every timeframe that the datasets of the plan have.
 * @throws EngineError for a plan whose datasets name no timeframe
 */
export async function overAssets(plan: unknown, list: AssetList, store: Pick<BarStore, 'list'>): Promise<object> {
  if (!isRecord(plan)) throw wrongField('plan', 'an object', plan);
  const { datasets } = plan as { readonly datasets?: unknown };
  const windowed = Array.isArray(datasets)
    ? datasets.findIndex((entry: unknown) => (entry as { readonly window?: unknown } | null)?.window !== undefined)
    : -1;
  if (windowed !== -1) {
    const field = `datasets[${windowed}].window`;
    const message = `${field} must be left out where other assets are given: the window of the plan is for all of them`;
    throw new EngineError('INVALID_FIELD', message, { field });
  }
  const timeframes = Array.isArray(datasets)
    ? datasets.map((entry: unknown) => (entry as { readonly timeframe?: unknown } | null)?.timeframe)
    : [];
  const distinct = [...new Set(timeframes.filter((one): one is string => typeof one === 'string'))];
  if (distinct.length === 0) {
    throw new EngineError('MISSING_FIELD', 'datasets of the plan must name a timeframe, which all assets take', {
      field: 'datasets',
    });
  }
  const wanted = await Promise.all(
    distinct.map(async (timeframe) =>
      (await listAssets(list, timeframe, store)).map((asset) => ({ asset, timeframe })),
    ),
  );
  return { ...plan, datasets: wanted.flat() };
}
