"""The plan of the race in vectorbt, called as loops.c and with the same answer, for one engine."""
import struct
import sys
import time

import numpy as np
import pandas as pd
import vectorbt as vbt

path, count, fee, slippage = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
fast_min, fast_max, slow_min, slow_max, exit_fast, exit_slow = map(int, sys.argv[5:11])
filters = list(map(int, sys.argv[11:]))
columns = np.fromfile(path).reshape(2, count)
close = pd.Series(columns[1])
# One bar more, whose price is the last close: there a position that is left is sold.
prices = np.append(columns[0], columns[1][-1])


def average(window):
    return close.rolling(window).mean().to_numpy()


def above(a, b):
    with np.errstate(invalid="ignore"):
        return a > b


def crosses(a, b):
    over = above(a, b)
    out = np.zeros(count, bool)
    with np.errstate(invalid="ignore"):
        out[1:] = over[1:] & (a[:-1] <= b[:-1])
    return out


def run():
    leaves = crosses(average(exit_slow), average(exit_fast))
    lets = [above(columns[1], average(window)) for window in filters]
    fasts = [average(window) for window in range(fast_min, fast_max + 1)]
    slows = [average(window) for window in range(slow_min, slow_max + 1)]
    results = []
    for fast in fasts:  # one batch for each, as memory allows
        ups = [crosses(fast, slow) for slow in slows]
        entries = np.array([up & let & ~leaves for up in ups for let in lets]).T
        exits = np.repeat(leaves[:, None], entries.shape[1], axis=1)
        none = np.zeros((1, entries.shape[1]), bool)
        # Decided at a close, filled at the next open; the last bar decides nothing and sells the rest.
        entries = np.vstack([none, entries[:-1], none])
        exits = np.vstack([none, exits[:-1], ~none])
        portfolio = vbt.Portfolio.from_signals(
            np.repeat(prices[:, None], entries.shape[1], axis=1), entries, exits,
            fees=fee, slippage=slippage, init_cash=1, freq="1h",
        )
        results.append(np.column_stack([portfolio.total_return(), portfolio.trades.count()]))
    return np.vstack(results)


run()  # compiles
start = time.process_time()
answer = run()
seconds = time.process_time() - start
sys.stdout.buffer.write(struct.pack("d", seconds) + np.ascontiguousarray(answer, dtype=np.float64).tobytes())
