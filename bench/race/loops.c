/*
 * The plan of the race in C, as a bar-by-bar loop and with a table of trades. Both fill at the next
 * open, all in, one position at a time, and sell what is left at the last close.
 *
 *   loops BARS COUNT FEE SLIPPAGE FAST_MIN FAST_MAX SLOW_MIN SLOW_MAX EXIT_FAST EXIT_SLOW FILTER... > RESULTS
 *
 * BARS holds COUNT opens, then COUNT closes, as doubles. RESULTS has, for each engine, a double with its CPU
 * seconds, then return and trades of every configuration: fast average outermost, filter innermost.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct { double growth, trades; } Result;
/* A trade that is decided at the close of a bar: what it makes of the account, and the next bar to decide in. */
typedef struct { double multiple; int next, is_known; } Trade;

static int bars;
static double fee, slippage;
static const double *open_, *close_;

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static double *sma(int window) {
  double *out = malloc(sizeof(double) * bars), sum = 0;
  for (int t = 0; t < bars; t++) {
    sum += close_[t];
    if (t >= window) sum -= close_[t - window];
    out[t] = t >= window - 1 ? sum / window : 0.0 / 0.0;
  }
  return out;
}

/* A crosses above B at t; both have a value in the bar before. */
static int crosses(const double *a, const double *b, int t) { return t > 0 && a[t] > b[t] && a[t - 1] <= b[t - 1]; }

static double bought(double cash, double price) { return cash / (price * (1 + slippage) * (1 + fee)); }
static double sold(double size, double price) { return size * price * (1 - slippage) * (1 - fee); }

static Result by_bar(const double *fast, const double *slow, const double *filter, const double *out_fast, const double *out_slow) {
  double cash = 1, size = 0;
  int trades = 0, buys = 0, sells = 0;
  for (int t = 0; t < bars; t++) {
    if (sells && size > 0) { cash = sold(size, open_[t]); size = 0; trades++; }
    if (buys && size == 0) size = bought(cash, open_[t]);
    if (t == bars - 1 && size > 0) { cash = sold(size, close_[t]); size = 0; trades++; }
    sells = crosses(out_slow, out_fast, t);
    buys = crosses(fast, slow, t) && close_[t] > filter[t] && !sells;
  }
  return (Result){cash - 1, trades};
}

static int words(void) { return (bars + 63) >> 6; }

static uint64_t *mask(const double *a, const double *b, int is_cross) {
  uint64_t *out = calloc(words(), 8);
  for (int t = 0; t < bars; t++) {
    if (is_cross ? crosses(a, b, t) : a[t] > b[t]) out[t >> 6] |= 1ull << (t & 63);
  }
  return out;
}

static int next_bit(const uint64_t *m, int from) {
  if (from >= bars) return bars;
  int k = from >> 6;
  uint64_t word = m[k] & (~0ull << (from & 63));
  while (word == 0) {
    if (++k >= words()) return bars;
    word = m[k];
  }
  return (k << 6) + __builtin_ctzll(word);
}

static void make_trade(Trade *trade, const uint64_t *exits, int decided) {
  int fill = decided + 1, leave = next_bit(exits, fill) + 1;
  double size = bought(1, open_[fill]);
  trade->multiple = leave >= bars ? sold(size, close_[bars - 1]) : sold(size, open_[leave]);
  trade->next = leave;
  trade->is_known = 1;
}

/* A trade depends on the bar of its entry alone, so runs share them all. */
static Result by_table(const uint64_t *entries, const uint64_t *exits, Trade *table) {
  double value = 1;
  int trades = 0;
  for (int t = next_bit(entries, 0); t < bars - 1; t = next_bit(entries, table[t].next)) {
    if (!table[t].is_known) make_trade(&table[t], exits, t);
    value *= table[t].multiple;
    trades++;
  }
  return (Result){value - 1, trades};
}

static void write_out(double seconds, const Result *results, int count) {
  fwrite(&seconds, sizeof seconds, 1, stdout);
  fwrite(results, sizeof *results, count, stdout);
}

int main(int argc, char **argv) {
  bars = atoi(argv[2]);
  fee = atof(argv[3]);
  slippage = atof(argv[4]);
  int axes[6];
  for (int k = 0; k < 6; k++) axes[k] = atoi(argv[5 + k]);
  int fasts = axes[1] - axes[0] + 1, slows = axes[3] - axes[2] + 1, filters = argc - 11;
  int count = fasts * slows * filters;
  double *columns = malloc(sizeof(double) * 2 * bars);
  FILE *file = fopen(argv[1], "rb");
  if (file == NULL || fread(columns, sizeof(double), 2 * (size_t)bars, file) != 2 * (size_t)bars) return 1;
  open_ = columns;
  close_ = columns + bars;
  Result *results = malloc(sizeof(Result) * count);

  double start = cpu_seconds();
  double **fast = malloc(sizeof(double *) * fasts), **slow = malloc(sizeof(double *) * slows), **filter = malloc(sizeof(double *) * filters);
  for (int k = 0; k < fasts; k++) fast[k] = sma(axes[0] + k);
  for (int k = 0; k < slows; k++) slow[k] = sma(axes[2] + k);
  for (int k = 0; k < filters; k++) filter[k] = sma(atoi(argv[11 + k]));
  double *out_fast = sma(axes[4]), *out_slow = sma(axes[5]);
  double columns_seconds = cpu_seconds() - start;

  start = cpu_seconds();
  Result *next = results;
  for (int a = 0; a < fasts; a++)
    for (int b = 0; b < slows; b++)
      for (int c = 0; c < filters; c++) *next++ = by_bar(fast[a], slow[b], filter[c], out_fast, out_slow);
  write_out(columns_seconds + cpu_seconds() - start, results, count);

  start = cpu_seconds();
  uint64_t *exits = mask(out_slow, out_fast, 1), **above = malloc(sizeof(uint64_t *) * filters);
  uint64_t *entries = malloc(8 * words());
  Trade *table = calloc(bars, sizeof(Trade));
  for (int c = 0; c < filters; c++) above[c] = mask(close_, filter[c], 0);
  next = results;
  for (int a = 0; a < fasts; a++)
    for (int b = 0; b < slows; b++) {
      uint64_t *up = mask(fast[a], slow[b], 1);
      for (int c = 0; c < filters; c++) {
        for (int k = 0; k < words(); k++) entries[k] = up[k] & above[c][k] & ~exits[k];
        *next++ = by_table(entries, exits, table);
      }
      free(up);
    }
  write_out(columns_seconds + cpu_seconds() - start, results, count);
  return 0;
}
