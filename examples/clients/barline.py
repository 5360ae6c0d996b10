"""A small client over REST: bars and results of backtests as pandas tables.

    BARLINE_API_KEY=local_... python3 examples/clients/barline.py

It needs Python 3.9 or newer and pandas 1.5 or newer, nothing else.
"""
import json
import os
import time
import urllib.error
import urllib.request
import uuid

import pandas as pd


class Barline:
    """Calls of one service. A write has a key of its own, so it takes effect once however often it is sent."""

    def __init__(self, key, url="http://127.0.0.1:5001", retries=5):
        self.url, self.key, self.retries = url, key, retries

    def call(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        if method != "GET":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        for left in range(self.retries, -1, -1):
            request = urllib.request.Request(f"{self.url}/api/v1{path}", data, headers, method=method)
            try:
                with urllib.request.urlopen(request) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refusal:
                wait, told = refusal.headers.get("Retry-After"), refusal.read().decode()
                if wait is None or left == 0:
                    raise RuntimeError(f"{refusal.code}: {told}") from None
                time.sleep(int(wait))

    def bars(self, symbol, days=30):
        answer = self.call("GET", f"/crypto-assets/ohlcv/{symbol}?days={days}")
        return table(answer["data"], "timestamp")

    def backtest(self, strategy, **settings):
        made = self.call("POST", "/strategies", strategy)["strategy"]
        return self.call("POST", "/backtests", {"strategy_id": made["id"], "asset": made["asset"], **settings})


def table(rows, *times):
    """Rows as a table whose times are UTC; the first of them is its index."""
    frame = pd.DataFrame(rows)
    for name in times:
        frame[name] = pd.to_datetime(frame[name], utc=True)
    return frame.set_index(times[0])


if __name__ == "__main__":
    barline = Barline(os.environ["BARLINE_API_KEY"], os.environ.get("BARLINE_URL", "http://127.0.0.1:5001"))
    bars = barline.bars("BTC")
    print(f"{len(bars)} bars, the last at {bars.index[-1]:%Y-%m-%d %H:%M %Z}")
    rule = {"name": "rsi_cross_up", "signal_type": "TRIGGER", "timeframe": "1d", "params": {"threshold": 50}}
    state = {"name": "is_above_sma", "signal_type": "FILTER", "timeframe": "1d", "params": {"window": 20}}
    result = barline.backtest(
        {"name": "dip", "asset": "BTC", "entry": [rule, state]},
        interval="1d", start_date="2024-01-01", end_date="2024-12-31",
    )
    trades = table(result["trade_history"], "exit_timestamp", "entry_timestamp")
    print(f"{len(trades)} trades, {result['metrics']['total_return']:.2%} in all")
    print(trades.groupby("exit_reason").profit_loss.agg(["count", "sum"]).round(2))
