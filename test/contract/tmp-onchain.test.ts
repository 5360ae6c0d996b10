import './cases/onchain.js';
