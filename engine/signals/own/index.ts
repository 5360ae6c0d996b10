export type { Answers } from './output.js';
export {
  checkOwnSignals,
  defineOwnSignal,
  type OwnSignal,
  type SignalBars,
  type SignalDefinition,
  type SignalParam,
  type SignalParams,
} from './own-signal.js';
