/**
 * Every indicator that a signal names. The title is for listing and search, the formula for
 * `signals show` and the docs. O H L C V are the columns, x[t-k] the value k bars earlier (NaN
 * before bar 0).
 */
export const indicatorCatalogue = {
  RSI: {
    title: 'Relative strength index',
    formula:
      'RSI(x,n): g[0] = l[0] = 0; g[t] = max(x[t]-x[t-1],0), l[t] = max(x[t-1]-x[t],0); AG = RMA(g,n), AL = RMA(l,n) (both start from the 0 at bar 0; published from t = n-1); RSI = 100 if AL == 0 else 100 - 100/(1+AG/AL)',
  },
  RMA: {
    title: "Wilder's smoothing",
    formula:
      'RMA(x,n): same recursion and publishing rule as EMA with a = 1/n (Wilder smoothing seeded with the first non-NaN value, not with an average)',
  },
  STOCH: {
    title: 'Stochastic oscillator',
    formula:
      '%K(n)[t] = 100*(C[t]-LL)/(HH-LL), LL = min(L[t-n+1..t]), HH = max(H[t-n+1..t]) (fast, unsmoothed; NaN when HH == LL); %D = SMA(%K,smooth_window) is not read by these signals',
  },
  WILLR: { title: 'Williams %R', formula: 'WR(n)[t] = -100*(HH-C[t])/(HH-LL), HH/LL = max(H)/min(L) over t-n+1..t' },
  TSI: {
    title: 'True strength index',
    formula:
      'TSI = 100*EMA(EMA(d,window_slow),window_fast)/EMA(EMA(|d|,window_slow),window_fast), d[t] = C[t]-C[t-1] (d[0] = NaN)',
  },
  EMA: {
    title: 'Exponential moving average',
    formula:
      "EMA(x,n): a = 2/(n+1); f = index of first non-NaN x; e[f] = x[f]; e[t] = (1-a)*e[t-1] + a*x[t] (no bias adjustment); value published only once n non-NaN inputs have been consumed (first at f+n-1), NaN before; an outer EMA sees those unpublished values as NaN and so starts at the inner EMA's first published value; k missing inputs after the first age the old value k+1 bars: e = ((1-a)^(k+1)*e + a*x)/((1-a)^(k+1) + a)",
  },
  UO: {
    title: 'Ultimate oscillator',
    formula:
      'UO = 100*(4*A(window_short)+2*A(window_medium)+1*A(window_long))/7, A(n) = sum(BP over n)/sum(TR over n), BP[t] = C[t]-min(L[t],C[t-1]) (BP[0] = NaN), TR = true range',
  },
  TR: { title: 'True range', formula: 'TR[t] = max(H[t]-L[t], |H[t]-C[t-1]|, |L[t]-C[t-1]|); TR[0] = H[0]-L[0]' },
  KAMA: {
    title: "Kaufman's adaptive moving average",
    formula:
      'KAMA: for t >= n: ER = |C[t]-C[t-n]| / sum_{i=t-n+1..t}|C[i]-C[i-1]| (0 if that sum is 0); sc = (ER*(2/(pow1+1)-2/(pow2+1)) + 2/(pow2+1))^2; k[n-1] = mean(C[0..n-1]); k[t] = k[t-1] + sc*(C[t]-k[t-1]); NaN before n-1',
  },
  ROC: { title: 'Rate of change', formula: 'ROC(n)[t] = 100*(C[t]-C[t-n])/C[t-n]' },
  AO: { title: 'Awesome oscillator', formula: 'AO = SMA(M,window_fast) - SMA(M,window_slow), M = (H+L)/2' },
  SMA: {
    title: 'Simple moving average',
    formula: 'SMA(x,n)[t] = mean(x[t-n+1..t]); NaN while t < n-1 or if any of the n values is NaN',
  },
  STOCHRSI: {
    title: 'Stochastic RSI',
    formula:
      'SR[t] = (R[t]-min(R[t-n+1..t]))/(max(R[t-n+1..t])-min(R[t-n+1..t])), R = RSI(C,n), 0..1 scale; NaN while the window holds a NaN RSI or when max == min; smooth1/smooth2 only feed K/D lines that are not read',
  },
  PPO: {
    title: 'Percentage price oscillator',
    formula: 'PPO = 100*(EMA(C,window_fast)-EMA(C,window_slow))/EMA(C,window_slow); signal = EMA(PPO,window_sign)',
  },
  PVO: {
    title: 'Percentage volume oscillator',
    formula: 'PVO = 100*(EMA(V,window_fast)-EMA(V,window_slow))/EMA(V,window_slow); signal = EMA(PVO,window_sign)',
  },
  MOM: { title: 'Momentum', formula: 'MOM(n)[t] = C[t]-C[t-n]' },
  BOP: { title: 'Balance of power', formula: 'BOP[t] = (C[t]-O[t])/(H[t]-L[t]); NaN when H[t] == L[t]' },
  APO: { title: 'Absolute price oscillator', formula: 'APO = EMA(C,window_fast) - EMA(C,window_slow)' },
  CMO: {
    title: 'Chande momentum oscillator',
    formula:
      'CMO(n)[t] = 100*(P-N)/(P+N), P = sum of positive close changes and N = sum of |negative close changes| over bars t-n+1..t (the change at bar 0 counts as 0); NaN when P+N == 0 or t < n-1',
  },
  MACD: {
    title: 'Moving average convergence divergence',
    formula:
      "macd = EMA(C,window_fast) - EMA(C,window_slow); signal = EMA(macd,window_sign) (seeded at macd's first published value, bar window_slow-1); histogram = macd - signal",
  },
  ADX: {
    title: 'Average directional index',
    formula:
      "Wilder DMI: up = H[t]-H[t-1], dn = L[t-1]-L[t]; +DM = up if up > dn and up > 0 else 0; -DM = dn if dn > up and dn > 0 else 0; TR'[t] = max(H[t],C[t-1]) - min(L[t],C[t-1]); S(x)[n] = sum(x[1..n]), S(x)[t] = S(x)[t-1]*(1-1/n) + x[t]; +DI/-DI = 100*S(+-DM)/S(TR') , readable by signals from t = n+1; DX = 100*|+DI - -DI|/(+DI + -DI) from t = n; ADX[2n-1] = mean(DX[n..2n-1]), ADX[t] = ADX[t-1] + (DX[t]-ADX[t-1])/n; NaN before, NaN if a divisor is 0",
  },
  AROON: {
    title: 'Aroon',
    formula:
      'over the n+1 bars t-n..t: up = 100*(position of the highest H)/n, down = 100*(position of the lowest L)/n, position 0 = oldest .. n = newest, ties take the OLDEST bar; defined from t = n',
  },
  WMA: {
    title: 'Weighted moving average',
    formula:
      'WMA(x,n)[t] = sum_{k=1..n} k*x[t-n+k] / (n(n+1)/2); NaN while t < n-1 or if any value in the window is NaN',
  },
  TRIX: {
    title: 'Triple exponential rate of change',
    formula: 'TRIX[t] = 100*(E3[t]-E3[t-1])/E3[t-1], E3 = EMA(EMA(EMA(C,n),n),n)',
  },
  MASS: {
    title: 'Mass index',
    formula: 'MI = rolling sum over window_slow of E1/E2, E1 = EMA(H-L,window_fast), E2 = EMA(E1,window_fast)',
  },
  ICHIMOKU: {
    title: 'Ichimoku cloud',
    formula:
      'mid(n)[t] = (max(H[t-n+1..t])+min(L[t-n+1..t]))/2; tenkan = mid(window_tenkan), kijun = mid(window_kijun), span_a = (tenkan+kijun)/2, span_b = mid(window_senkou); spans are NOT displaced forward',
  },
  KST: {
    title: 'Know sure thing',
    formula:
      'KST = 100*(r1+2*r2+3*r3+4*r4), r_i = SMA((C[t]-C[t-n_i])/C[t-n_i], w_i) with n_1..n_4 = roc1..roc4 and w_1..w_4 = window_sma1..window_sma4; signal = SMA(KST,nsig)',
  },
  DPO: { title: 'Detrended price oscillator', formula: 'DPO(n)[t] = C[t-(floor(n/2)+1)] - SMA(C,n)[t]' },
  CCI: {
    title: 'Commodity channel index',
    formula:
      "CCI = (TP[t]-m)/(constant*MAD), TP = (H+L+C)/3, m = mean(TP[t-n+1..t]), MAD = mean(|TP[i]-m|, i = t-n+1..t) (deviations from that window's own mean)",
  },
  VORTEX: {
    title: 'Vortex indicator',
    formula:
      'VI+ = sum(|H[i]-L[i-1]|)/sum(TR[i]), VI- = sum(|L[i]-H[i-1]|)/sum(TR[i]), i = t-n+1..t, defined from t = n',
  },
  PSAR: {
    title: 'Parabolic stop and reverse',
    formula:
      'sar[0] = C[0], sar[1] = C[1]; start long, af = step, eh = H[0], el = L[0]; for t >= 2 long: v = sar[t-1]+af*(eh-sar[t-1]); if L[t] < v: v = eh, el = L[t], af = step, go short; else { if H[t] > eh: eh = H[t], af = min(af+step,max_step); if L[t-2] < v: v = L[t-2] else if L[t-1] < v: v = L[t-1] }; short: v = sar[t-1]-af*(sar[t-1]-el); if H[t] > v: v = el, eh = H[t], af = step, go long; else { if L[t] < el: el = L[t], af = min(af+step,max_step); if H[t-2] > v: v = H[t-2] else if H[t-1] > v: v = H[t-1] }; sar[t] = v',
  },
  STC: {
    title: 'Schaff trend cycle',
    formula:
      'm = EMA(C,window_fast)-EMA(C,window_slow); K = 100*(m-min)/(max-min) of m over cycle bars; D = EMA(K,smooth1); KD = 100*(D-min)/(max-min) of D over cycle bars; STC = EMA(KD,smooth2); 0/0 is NaN and the EMA gap rule applies',
  },
  DEMA: { title: 'Double exponential moving average', formula: 'DEMA = 2*E1 - E2 with E1 = EMA(x,n), E2 = EMA(E1,n)' },
  TEMA: {
    title: 'Triple exponential moving average',
    formula: 'TEMA = 3*E1 - 3*E2 + E3 with E1 = EMA(x,n), E2 = EMA(E1,n), E3 = EMA(E2,n)',
  },
  TRIMA: {
    title: 'Triangular moving average',
    formula: 'TRIMA(x,n) = SMA(SMA(x,n1),n2); n odd: n1 = n2 = (n+1)/2; n even: n1 = n/2, n2 = n/2+1',
  },
  SMMA: {
    title: 'Smoothed moving average',
    formula: 'SMMA(x,n) = RMA(x,n): s[f] = x[f], s[t] = s[t-1] + (x[t]-s[t-1])/n, published from f+n-1',
  },
  EPMA: {
    title: 'End point moving average',
    formula:
      'EPMA(x,n)[t] = least-squares line over x[t-n+1..t] evaluated at the newest bar = sum_{i=0..n-1} w_i*x[t-n+1+i], w_i = (6i+4-2n)/(n(n+1))',
  },
  HMA: {
    title: 'Hull moving average',
    formula: 'HMA(x,n) = WMA(2*WMA(x,max(1,floor(n/2))) - WMA(x,n), max(1,floor(sqrt(n))))',
  },
  ALMA: {
    title: 'Arnaud Legoux moving average',
    formula:
      'ALMA(x,n)[t] = sum_i w_i*x[t-n+1+i]/sum_i w_i, i = 0..n-1 (0 = oldest), w_i = exp(-0.5*((sigma/n)*(i-k))^2), k = floor(offset*(n-1))',
  },
  T3: {
    title: 'Tillson T3',
    formula:
      'T3: e1 = EMA(x,n), e_{j+1} = EMA(e_j,n) up to e6; v = volume_factor; T3 = -v^3*e6 + (3v^2+3v^3)*e5 + (-6v^2-3v-3v^3)*e4 + (1+3v+3v^2+v^3)*e3',
  },
  MAMA: {
    title: 'MESA adaptive moving average',
    formula:
      'MAMA/FAMA of p = (H+L)/2 with alpha kept within slow_limit..fast_limit, by the Ehlers homodyne recursion (loop starts at bar 6 from zero state); outputs of bars 0..warmup_bars-1 are NaN',
  },
  HEIKINASHI: {
    title: 'Heikin-Ashi candles',
    formula: 'hc[t] = (O+H+L+C)/4; ho[0] = (O[0]+C[0])/2; ho[t] = (ho[t-1]+hc[t-1])/2',
  },
  CHANDELIER: {
    title: 'Chandelier exit',
    formula:
      'high_offset = max(H[t-n+1..t]) - multiplier*ATR(n)[t]; low_offset = min(L[t-n+1..t]) + multiplier*ATR(n)[t]',
  },
  ATR: {
    title: 'Average true range',
    formula:
      'ATR(n)[n-1] = mean(TR[0..n-1]); ATR[t] = ATR[t-1] + (TR[t]-ATR[t-1])/n; NaN before n-1; TR[0] = H[0]-L[0], TR[t] = max(H-L, |H-C[t-1]|, |L-C[t-1]|)',
  },
  ALLIGATOR: {
    title: 'Williams alligator',
    formula:
      'M = (H+L)/2; jaw[t] = SMMA(M,jaw)[t-jaw_offset], teeth[t] = SMMA(M,teeth)[t-teeth_offset], lips[t] = SMMA(M,lips)[t-lips_offset]',
  },
  SUPERTREND: {
    title: 'SuperTrend',
    formula:
      'n = window; lo/up = (H+L)/2 -/+ multiplier*ATR(n) (NaN in warm-up); cur = +1; for t = 1,2,..: if C[t] > up[t-1]: cur = +1; else if C[t] < lo[t-1]: cur = -1; else if cur is +1 and lo[t] < lo[t-1]: lo[t] = lo[t-1]; else if cur is -1 and up[t] > up[t-1]: up[t] = up[t-1] (previous bands as already ratcheted); dir[t] = cur for t >= n, NaN before',
  },
  RIBBON: { title: 'Moving average ribbon', formula: 'm_j = SMA(C,windows[j])[t] for strictly increasing windows' },
  TTM: {
    title: 'TTM squeeze',
    formula:
      'depth = min(KCu-BBu, BBl-KCl), BB = SMA(C,bb_window) +/- bb_std*stdev(ddof 0), KC = EMA(C,kc_window) +/- kc_atr_mult*ATR(kc_window); momentum = EPMA(C - ((HH+LL)/2 + SMA(C,m))/2, m), HH/LL over m = mom_window bars',
  },
  SWING: {
    title: 'Swing highs and lows',
    formula:
      'swing low of x at j seen from bar t: 0 < j < t and x[j] < x[k] for every k != j in max(0,j-s)..min(t,j+s) (strict; high: >; NaN never qualifies), s = swing_window; windows cut at the data edges',
  },
  MTF_SLOPE: {
    title: 'Higher timeframe slope',
    formula:
      'close resampled to completed higher_tf buckets: E = EMA(bucket closes,window); slope = (E[k]-E[k-1])/mean(|E| over the last <=window published values ending at k), k = last bucket whose end <= close time of bar t; NaN without timestamps or before window+1 completed buckets',
  },
  ADI: {
    title: 'Accumulation/distribution index',
    formula: 'clv = ((C-L)-(H-C))/(H-L), 0 when H == L; ADI[t] = sum_{i=0..t} clv[i]*V[i]',
  },
  OBV: {
    title: 'On-balance volume',
    formula: 'OBV[t] = sum_{i=0..t} (C[i] < C[i-1] ? -V[i] : +V[i]); bar 0 and unchanged closes add +V',
  },
  CMF: {
    title: 'Chaikin money flow',
    formula: 'CMF(n) = sum(clv*V over n)/sum(V over n), clv = ((C-L)-(H-C))/(H-L), 0 when H == L',
  },
  FORCE: { title: 'Force index', formula: 'FI = EMA((C[t]-C[t-1])*V[t], window), first input at bar 1' },
  EOM: {
    title: 'Ease of movement',
    formula: 'EOM[t] = 1e8*((H[t]-H[t-1])+(L[t]-L[t-1]))*(H[t]-L[t])/(2*V[t]) (unsmoothed; IEEE division when V is 0)',
  },
  VPT: { title: 'Volume price trend', formula: 'VPT[t] = sum_{i=1..t} (C[i]/C[i-1]-1)*V[i]; VPT[0] = NaN' },
  NVI: {
    title: 'Negative volume index',
    formula:
      'NVI[0] = 1000; NVI[t] = NVI[t-1]*(C[t]/C[t-1]) if V[t] < V[t-1] else NVI[t-1]; line = recursion a = 2/(window+1) seeded at NVI[0] and published from bar 0',
  },
  MFI: {
    title: 'Money flow index',
    formula:
      'TP = (H+L+C)/3; flow[t] = TP[t]*V[t]; PF/NF = sums over t-n+1..t of flow where TP[t] > / < TP[t-1] (equal, and bar 0, count for neither); MFI = 100-100/(1+PF/NF); NF == 0 and PF > 0 gives 100; both 0 gives NaN',
  },
  VWAP: {
    title: 'Volume weighted average price',
    formula: 'VWAP(n)[t] = sum(TP*V)/sum(V) over t-n+1..t (rolling, no session reset), TP = (H+L+C)/3',
  },
  RETURN: { title: 'One-bar return', formula: 'DR[t] = 100*(C[t]/C[t-1]-1)' },
  CUMRETURN: { title: 'Cumulative return', formula: 'CR[t] = 100*(C[t]/C[0]-1), C[0] = first bar supplied' },
  VWMA: {
    title: 'Volume weighted moving average',
    formula: 'VWMA(n)[t] = sum(C*V over t-n+1..t)/sum(V over t-n+1..t)',
  },
  ADOSC: {
    title: 'Chaikin oscillator',
    formula:
      'ADOSC = EMA(ADI,fast) - EMA(ADI,slow); ADI = running sum of clv*V, clv = ((C-L)-(H-C))/(H-L) (0 when H == L)',
  },
  KVO: {
    title: 'Klinger volume oscillator',
    formula:
      'sv[0] = 0; sv[t] = V[t]*sign(TP[t]-TP[t-1]) (0 when equal), TP = (H+L+C)/3; KVO = EMA(sv,fast)-EMA(sv,slow); signal = EMA(KVO,signal_window)',
  },
  BBANDS: {
    title: 'Bollinger bands',
    formula:
      'mid = SMA(C,n); sd = population standard deviation (ddof 0) of C[t-n+1..t]; upper/lower = mid +/- window_dev*sd; width = 100*(upper-lower)/mid',
  },
  KELTNER: {
    title: 'Keltner channel',
    formula:
      'original_version false: mid = EMA(C,window), upper/lower = mid +/- multiplier*ATR(window_atr); true: upper = SMA((4H-2L+C)/3,window), lower = SMA((-2H+4L+C)/3,window), window_atr and multiplier ignored',
  },
  DONCHIAN: {
    title: 'Donchian channel',
    formula: 'U[t] = max(H[t-n..t-1]), D[t] = min(L[t-n..t-1]) (current bar excluded)',
  },
  ULCER: {
    title: 'Ulcer index',
    formula: 'UI = sqrt(mean(r^2 over t-n+1..t)), r[i] = 100*(C[i]-M[i])/M[i], M[i] = max(C[max(0,i-n+1)..i])',
  },
  NATR: { title: 'Normalized average true range', formula: 'NATR = 100*ATR(n)/C' },
  ATR_STOP: {
    title: 'ATR trailing stop',
    formula:
      'n = window; dir = 0 before bar n; dir[n] = +1 if C[n] >= C[n-1] else -1, stop = C[n]-dir*multiplier*ATR[n]; afterwards long: if C[t] < stop then dir = -1, stop = C[t]+multiplier*ATR[t], else stop = max(stop, C[t]-multiplier*ATR[t]); short: if C[t] > stop then dir = +1, stop = C[t]-multiplier*ATR[t], else stop = min(stop, C[t]+multiplier*ATR[t])',
  },
  STARC: {
    title: 'Stoller average range channel',
    formula: 'upper/lower = SMA(C,window) +/- multiplier*ATR(window_atr)',
  },
  VOLSTOP: {
    title: 'Volatility stop',
    formula:
      'r[t] = C[t]/C[t-1]-1; s = sample standard deviation (ddof 1) of r[t-n+1..t]; upper/lower = C[t-1]*(1 +/- multiplier*s)',
  },
  CANDLE: { title: 'Candle anatomy', formula: 'body = |C-O|; range = H-L; uw = H-max(O,C); lw = min(O,C)-L' },
  CLEAN: {
    title: 'Observations of a chain column',
    formula:
      'X = the named column with missing/null/non-numeric entries removed (order kept); m = number of remaining observations, X[m-1] the newest; absent or empty column gives False',
  },
} as const satisfies Record<string, { title: string; formula: string }>;

export type IndicatorName = keyof typeof indicatorCatalogue;
