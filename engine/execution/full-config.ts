import type { ExecutionConfig } from './config.js';
import { type PositionSettings, positionDefaults } from './position-fields.js';

/** A config in which every setting has a value, the settings of `positionFields` included. */
export type FullConfig = ExecutionConfig & PositionSettings;

/** Fills in the defaults that a resolved config leaves out. */
export const fullConfig = (config: ExecutionConfig): FullConfig => ({ ...positionDefaults, ...config });
