export { AssetAdmin } from './admin.js';
export { CryptoAssets } from './assets.js';
export { AssetBook } from './book.js';
export { AssetMarkets } from './markets.js';
export { cryptoAssetMethods } from './methods.js';
export { SqlCryptoAssetStore } from './store.js';
export { SqlAssetUpdates } from './update-store.js';
export { AssetUpdates } from './updates.js';
