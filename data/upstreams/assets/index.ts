export { openCoinApi } from './coinapi.js';
export { CoinGecko } from './coingecko.js';
export { openHeldAssets } from './held.js';
export {
  type AssetProfile,
  type AssetSource,
  CANDLE_DAYS_MAX,
  type CandleSource,
  type Candles,
  type Exchange,
  type RiskProfile,
} from './port.js';
