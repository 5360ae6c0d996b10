import { join } from 'node:path';
import { openBars } from '../data/bars/index.js';
import { openColumns } from '../data/columns/index.js';
import { openHoldouts } from '../data/tries/index.js';
import type { Services } from '../research/backtest/index.js';
import type { Environment } from './environment.js';

export const openServices = (environment: Environment): Services => ({
  store: openStore(environment),
  heldOut: openHoldouts(environment.home),
  engineVersion: environment.version,
});

export const openColumnStore = ({ home, packageRoot }: Environment) =>
  openColumns({ home, sampleDir: join(packageRoot, 'sample') });

export const openStore = ({ home, packageRoot }: Environment) =>
  openBars({ home, sampleDir: join(packageRoot, 'sample') });
