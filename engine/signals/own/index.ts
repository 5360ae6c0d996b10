export {
  type Answers,
  checkOwnSignals,
  defineOwnSignal,
  type OwnSignal,
  type SignalBars,
  type SignalDefinition,
  type SignalParam,
  type SignalParams,
} from './own-signal.js';
