/**
 * Epoch ms by the clock on the wall. Credentials, leases and monthly counters go by this one: the
 * clock of the market may stand at the close of the last bundled bar, and a key must not live on
 * because of that.
 */
export type WallClock = () => number;
