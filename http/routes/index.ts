import type { Route } from '../route.js';
import { strategyRoutes } from './strategies.js';

export const routes: readonly Route[] = [...strategyRoutes];
