import { onChainWorld } from '../../../../support/onchain-world.js';
import { testWhalesPort } from '../../../../support/whales-port-contract.js';

const world = onChainWorld();
testWhalesPort('held', 'generated', () => world.whales);
