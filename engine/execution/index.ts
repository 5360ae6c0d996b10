export { ADMITTED } from '../formulas/gates.js';
export {
  type Account,
  accountValue,
  addWorths,
  openAccount,
  openLossOf,
  openPurse,
  type Position,
  type Purse,
  signOf,
  targetPrice,
  type WorkingOrder,
  withWorth,
} from './account.js';
export { dependsOnEntry, hasKnownExit, STRETCH_NUMBERS } from './alone.js';
export { type AtrSource, atrSource, blendAtr, effectiveAtr } from './atr.js';
export { checkBounds, type FieldBounds } from './bounds.js';
export { cashCurve } from './cash-curve.js';
export { type ExecutionConfig, type ExecutionFieldName, type ExecutionSettings, executionFields } from './config.js';
export { countDenials, type DenialReason, type Denials, denialReasons } from './denials.js';
export { type DetailCounts, finerCount, firstFiner, openCounts } from './detail.js';
export type { SizeLimit, Standing } from './entry.js';
export {
  evaluateAccount,
  openPaperAccount,
  type PaperAccount,
  type PaperEvent,
  type PaperOrder,
  type PaperPosition,
  paperEvents,
  paperValue,
  stepPaper,
} from './evaluate.js';
export type { ExecutionField } from './field.js';
export { type FullConfig, fullConfig } from './full-config.js';
export { fundingBars, fundingRate, hasSettledFunding } from './funding.js';
export { type GuardSettings, type GuardState, isGuarded, openGuard, readGuards } from './guards.js';
export { idleSettingWarnings, unreadBeside } from './idle-settings.js';
export { entryFill, exitFill, stopDistance } from './levels.js';
export { longGate, openLongAccount, proposeLong } from './long-account.js';
export { fromLongForm, fromLongLevels, type LongLevels, type LongPaperAccount, readPaperAccount } from './long-form.js';
export { type ExitAlone, exitAlone } from './next-event.js';
export { SCALE_OUT_PAIRS_MAX, SCHEDULE_PAIRS_MAX } from './position-checks.js';
export {
  type PositionFieldName,
  positionFieldNames,
  usedPositionFields,
} from './position-fields.js';
export { type PresetName, presetNames, presetSettings } from './presets.js';
export { type PreviewBar, previewEntry } from './preview-entry.js';
export { decideQuietExits, isSteady, isUntouched } from './quiet-bar.js';
export { type ConfigSources, legacyCooldownWarning, type ResolvedConfig, resolveConfig } from './resolve.js';
export { resolvedFields } from './resolved-fields.js';
export { fillSales, openProfit } from './sales.js';
export { positionColumns, type SettingColumn, settingColumns } from './setting-columns.js';
export {
  checkConfig,
  executionFieldNames,
  fieldOf,
  isSettingName,
  legacyCooldownFields,
  publishedDefaults,
  type SettingName,
  settingNames,
} from './settings.js';
export { simulate } from './simulate.js';
export { isPlain, type Simulation, type SimulationInput } from './simulation.js';
export { exhaustedFrom, positionSize, spendableCash } from './sizing.js';
export { type AccountEvent, BarStep, step } from './step.js';
export { type StepBar, stepBar, stepBarOf } from './step-bar.js';
export { simulateByStep } from './stepped-run.js';
export { type ExitReason, isSoldAtOpen, type PartExit, type Trade } from './trade.js';
export { type TradeEvent, tradeEvents } from './trade-events.js';
export { averageTrueRange } from './true-range.js';
export { inLots, inTicks, type Venue } from './venue.js';
export { annualVolatility, relativeTrueRange, returnDeviation, volatilityScale } from './volatility.js';
