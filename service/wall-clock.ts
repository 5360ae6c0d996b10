/**
 * Epoch ms by the system's clock. Credentials, leases and monthly counters use it: the market's
 * clock may stand still at the close of the last bundled bar, and keys must expire all the same.
 */
export type WallClock = () => number;
