export { CryptoAssets } from './assets.js';
export { AssetBook } from './book.js';
export { AssetMarkets } from './markets.js';
