import type { Language } from '../../service/assistant/built-in/canonical.js';

/** Ways to say one thing in the four languages; `{n}` stands for a number as the language writes it. */
export type Phrases = Readonly<Record<Language, readonly string[]>>;

/** Shares of the execution settings: what is set, the numbers in percent, and how people say it. */
export const shares: readonly {
  readonly name: 'max_risk_per_trade' | 'fixed_stop_pct' | 'fee_pct' | 'slippage_pct';
  readonly percents: readonly number[];
  readonly phrases: Phrases;
}[] = [
  {
    name: 'max_risk_per_trade',
    percents: [0.5, 1, 2.5],
    phrases: {
      en: [
        'risk {n} %',
        'risk {n}% per trade',
        'risking {n} percent',
        'I want to risk {n}% of my account on each trade',
        '{n}% risk',
        '{n} % risk per trade',
        'max risk {n} pct',
        'set the risk to {n}%',
        'risk should be {n}%',
        'my risk per trade is {n} %',
        'lose at most {n}% per trade',
        'let me risk {n} % of the account',
      ],
      de: [
        'Risiko {n} %',
        '{n} % Risiko pro Trade',
        'riskiere {n} Prozent',
        'ich will {n} % pro Trade riskieren',
        'pro Trade {n} % riskieren',
        'das Risiko soll {n} % sein',
        'maximal {n} % Risiko',
        'Risiko je Trade: {n} %',
      ],
      es: [
        'riesgo {n} %',
        'riesgo del {n} %',
        'arriesga el {n} % por operación',
        'quiero arriesgar un {n} % por operación',
        '{n} % de riesgo',
        'un riesgo de {n} por ciento',
        'arriesgo {n} %',
      ],
      fr: [
        'risque {n} %',
        'risque de {n} %',
        '{n} % de risque par trade',
        'je veux risquer {n} % par trade',
        'risquer {n} pour cent',
        'un risque de {n} % du compte',
        'je risque {n} %',
      ],
    },
  },
  {
    name: 'fixed_stop_pct',
    percents: [1.5, 3, 8],
    phrases: {
      en: [
        'stop {n} %',
        'stop at {n}%',
        '{n}% stop',
        'stop loss {n} percent',
        'stop-loss of {n}%',
        'SL {n}%',
        'put the stop {n}% away',
        'a stop {n}% below the entry',
        'use a {n} % stop loss',
        'fixed stop of {n} %',
        'my stop is {n}%',
        'with a stop of {n} pct',
      ],
      de: [
        'Stop {n} %',
        'Stopp bei {n} %',
        '{n} % Stop',
        'Stop-Loss {n} Prozent',
        'mit einem Stop von {n} %',
        'Stopp {n} % unter dem Einstieg',
        'fester Stop von {n} %',
        'SL {n} %',
      ],
      es: [
        'stop {n} %',
        'stop del {n} %',
        'stop loss de {n} %',
        'un stop del {n} por ciento',
        'con stop al {n} %',
        'stop fijo del {n} %',
        'pon el stop en {n} %',
      ],
      fr: [
        'stop {n} %',
        'stop à {n} %',
        'stop-loss de {n} %',
        'un stop à {n} pour cent',
        'avec un stop de {n} %',
        'stop fixe de {n} %',
        'mets le stop à {n} %',
      ],
    },
  },
  {
    name: 'fee_pct',
    percents: [0.05, 0.1, 0.25],
    phrases: {
      en: [
        'fee {n} %',
        'fees {n}%',
        '{n}% fee',
        'fees of {n}%',
        'commission {n} percent',
        'commissions are {n}%',
        'with {n} % fees',
        'my exchange charges {n}% fees',
        'fee is {n} pct',
        'trading costs of {n}%',
        'taker fee {n}%',
      ],
      de: [
        'Gebühr {n} %',
        'Gebühren von {n} %',
        '{n} % Gebühr',
        'Kosten {n} Prozent',
        'mit {n} % Gebühren',
        'Provision {n} %',
      ],
      es: [
        'comisión {n} %',
        'comisiones del {n} %',
        '{n} % de comisión',
        'costes de {n} %',
        'con comisión de {n} por ciento',
      ],
      fr: ['frais {n} %', 'frais de {n} %', '{n} % de frais', 'commission de {n} %', 'avec des frais de {n} pour cent'],
    },
  },
  {
    name: 'slippage_pct',
    percents: [0.02, 0.1],
    phrases: {
      en: [
        'slippage {n} %',
        'slippage of {n}%',
        '{n}% slippage',
        'with {n} percent slippage',
        'slip {n}%',
        'assume slippage at {n}%',
      ],
      de: ['Slippage {n} %', 'Slippage von {n} %', '{n} % Slippage', 'Schlupf {n} Prozent'],
      es: ['slippage {n} %', 'deslizamiento del {n} %', '{n} % de deslizamiento', 'con slippage de {n} %'],
      fr: ['slippage {n} %', 'glissement de {n} %', '{n} % de slippage', 'avec un slippage de {n} %'],
    },
  },
];

/** Whole numbers beside shares. */
export const amounts: readonly {
  readonly name: 'reward_factor' | 'initial_balance' | 'count' | 'max_hold_bars';
  readonly values: readonly number[];
  readonly phrases: Phrases;
}[] = [
  {
    name: 'reward_factor',
    values: [1.5, 2, 3],
    phrases: {
      en: [
        'target {n}R',
        '{n}R target',
        'target {n} times the risk',
        'reward {n} to 1',
        'reward:risk {n}:1',
        'take profit at {n}R',
        'TP {n}R',
        'a reward factor of {n}',
        'target at {n} x the risk',
        'aim for {n}R',
        'risk reward of {n}',
      ],
      de: ['Ziel {n}R', 'Ziel beim {n}fachen des Risikos', 'Kursziel {n} mal das Risiko', 'Gewinnziel {n}R', 'CRV {n}'],
      es: [
        'objetivo {n}R',
        'objetivo de {n} veces el riesgo',
        'toma de beneficios en {n}R',
        'ratio beneficio riesgo de {n}',
      ],
      fr: ['objectif {n}R', 'objectif de {n} fois le risque', 'cible à {n}R', 'prise de profit à {n}R'],
    },
  },
  {
    name: 'initial_balance',
    values: [5000, 25000, 100000],
    phrases: {
      en: [
        'account {n}',
        'account of {n}',
        'a {n} account',
        '$ {n} account',
        'start with {n}',
        'starting with {n} dollars',
        'I have {n} dollars',
        'capital {n}',
        'my balance is {n}',
        'with {n} in the account',
        'initial capital of {n}',
        'equity {n}',
        'bankroll of {n} usd',
        'portfolio size {n}',
      ],
      de: [
        'Konto {n}',
        'Konto von {n}',
        'Startkapital {n} Euro',
        'ich habe {n} Euro',
        'mit {n} Euro Kapital',
        'starte mit {n}',
        'Kapital: {n}',
      ],
      es: [
        'cuenta de {n}',
        'cuenta {n}',
        'capital de {n} euros',
        'tengo {n} euros',
        'empieza con {n}',
        'capital inicial {n}',
      ],
      fr: [
        'compte de {n}',
        'compte {n}',
        'capital de {n} euros',
        "j'ai {n} euros",
        'commence avec {n}',
        'capital initial {n}',
      ],
    },
  },
  {
    name: 'count',
    values: [2, 3, 6],
    phrases: {
      en: [
        '{n} candidates',
        'give me {n} ideas',
        'only {n} variants',
        'max {n} candidates',
        'make {n} versions',
        '{n} different proposals',
        'no more than {n} candidates',
      ],
      de: ['{n} Kandidaten', 'gib mir {n} Ideen', 'nur {n} Varianten', 'maximal {n} Kandidaten', 'mach {n} Vorschläge'],
      es: ['{n} candidatos', 'dame {n} ideas', 'solo {n} variantes', 'máximo {n} candidatos'],
      fr: ['{n} candidats', 'donne-moi {n} idées', 'seulement {n} variantes', 'maximum {n} candidats'],
    },
  },
  {
    name: 'max_hold_bars',
    values: [10, 48],
    phrases: {
      en: [
        'hold at most {n} bars',
        'hold for {n} bars',
        'exit after {n} bars',
        'close the position after {n} candles',
        'max {n} bars hold',
        'hold no longer than {n} bars',
        'sell after at most {n} bars',
        'get out after {n} bars',
      ],
      de: [
        'halten höchstens {n} Kerzen',
        'verkaufe nach {n} Kerzen',
        'nach {n} Kerzen aussteigen',
        'höchstens {n} Kerzen halten',
      ],
      es: ['mantener como máximo {n} velas', 'vende después de {n} velas', 'salir tras {n} velas'],
      fr: ['conserver au plus {n} bougies', 'vends après {n} bougies', 'sortir après {n} bougies'],
    },
  },
];

/** Timeframes in words. */
export const timeframes: readonly { readonly timeframe: string; readonly phrases: Phrases }[] = [
  {
    timeframe: '1d',
    phrases: {
      en: [
        'daily',
        '1d',
        'on the daily',
        'daily chart',
        'daily candles',
        'once a day',
        'one day bars',
        'the 1D',
        'day chart',
        'dailies',
        'D1',
        'every day',
      ],
      de: ['täglich', 'Tageskerzen', 'auf Tagesbasis', 'im Tageschart', 'Tageschart', '1d', 'einmal am Tag'],
      es: ['diario', 'velas diarias', 'gráfico diario', 'en diario', '1d', 'una vez al día'],
      fr: ['journalier', 'en journalier', 'bougies journalières', 'quotidien', '1d', 'une fois par jour'],
    },
  },
  {
    timeframe: '4h',
    phrases: {
      en: ['4h', '4 hour', '4-hour chart', 'four hour candles', '4 hours', 'H4', '4hr', 'the 4h chart', '240 minutes'],
      de: ['4h', '4 Stunden', '4-Stunden-Chart', 'vier Stunden', '4h-Kerzen', 'im 4h Chart'],
      es: ['4h', '4 horas', 'velas de 4 horas', 'cuatro horas', 'gráfico de 4h'],
      fr: ['4h', '4 heures', 'bougies de 4 heures', 'quatre heures', 'en 4h'],
    },
  },
  {
    timeframe: '1h',
    phrases: {
      en: [
        '1h',
        'hourly',
        '1 hour',
        'one hour candles',
        '1-hour chart',
        'H1',
        'on the hourly',
        '60 minutes',
        '60m',
        'every hour',
      ],
      de: ['1h', 'stündlich', '1 Stunde', 'Stundenkerzen', 'auf Stundenbasis', 'im Stundenchart'],
      es: ['1h', '1 hora', 'una hora', 'velas de 1 hora', 'por hora', 'velas horarias'],
      fr: ['1h', '1 heure', 'une heure', 'bougies de 1 heure', 'horaire', 'bougies horaires'],
    },
  },
  {
    timeframe: '15m',
    phrases: {
      en: ['15m', '15 min', '15 minutes', '15-minute bars', 'quarter hour', 'fifteen minutes', 'M15'],
      de: ['15m', '15 Minuten', '15-Minuten-Kerzen', 'viertelstündlich'],
      es: ['15m', '15 minutos', 'velas de 15 minutos'],
      fr: ['15m', '15 minutes', 'bougies de 15 minutes'],
    },
  },
];

/** Windows in words: first and last day, or months back. */
export const windows: readonly {
  readonly dates: { readonly start?: string; readonly end?: string; readonly months?: number };
  readonly phrases: Phrases;
}[] = [
  {
    dates: { start: '2022-01-01', end: '2023-12-31' },
    phrases: {
      en: [
        '2022 to 2023',
        'from 2022 to 2023',
        '2022-2023',
        'between 2022 and 2023',
        '2022 through 2023',
        'from 2022 until the end of 2023',
        'for 2022 and 2023',
        '2022 thru 2023',
        'from January 2022 to December 2023',
        'jan 2022 - dec 2023',
        'over 2022 and 2023',
      ],
      de: [
        '2022 bis 2023',
        'von 2022 bis 2023',
        '2022-2023',
        'zwischen 2022 und 2023',
        'Januar 2022 bis Dezember 2023',
        'von 2022 bis Ende 2023',
        '2022 und 2023',
      ],
      es: [
        'de 2022 a 2023',
        'desde 2022 hasta 2023',
        '2022-2023',
        'entre 2022 y 2023',
        'enero de 2022 a diciembre de 2023',
        'desde 2022 hasta finales de 2023',
      ],
      fr: [
        'de 2022 à 2023',
        'depuis 2022 jusqu’à 2023',
        '2022-2023',
        'entre 2022 et 2023',
        'janvier 2022 à décembre 2023',
        'de 2022 à fin 2023',
      ],
    },
  },
  {
    dates: { start: '2023-01-01', end: '2023-12-31' },
    phrases: {
      en: [
        'only 2023',
        '2023 only',
        'in 2023',
        'during 2023',
        'just 2023',
        'for the year 2023',
        'the whole of 2023',
        'all of 2023',
        'over 2023',
        'throughout 2023',
        'year 2023',
      ],
      de: ['nur 2023', 'im Jahr 2023', 'in 2023', 'nur das Jahr 2023', 'ganz 2023', 'während 2023'],
      es: ['solo 2023', 'en 2023', 'durante 2023', 'solo el año 2023', 'todo 2023', 'el año 2023'],
      fr: ['seulement 2023', 'en 2023', 'pendant 2023', "l'année 2023", 'toute 2023', "toute l'année 2023"],
    },
  },
  {
    dates: { start: '2023-03-01' },
    phrases: {
      en: [
        'since March 2023',
        'from march 2023',
        'starting in March 2023',
        'since mar 2023',
        'from 2023-03-01',
        'from 2023-03',
        'since the 1st of March 2023',
        'from March 2023 on',
        'beginning March 2023',
        'from march 2023 onwards',
        'starting march 1 2023',
        'from March 1st, 2023',
      ],
      de: [
        'seit März 2023',
        'ab März 2023',
        'ab 1. März 2023',
        'ab dem 1. März 2023',
        'seit dem 01.03.2023',
        'ab 2023-03-01',
      ],
      es: [
        'desde marzo de 2023',
        'a partir de marzo de 2023',
        'desde el 1 de marzo de 2023',
        'desde 2023-03-01',
        'desde marzo 2023',
      ],
      fr: [
        'depuis mars 2023',
        'à partir de mars 2023',
        'depuis le 1er mars 2023',
        'à partir du 1 mars 2023',
        'depuis 2023-03-01',
      ],
    },
  },
  {
    dates: { months: 18 },
    phrases: {
      en: [
        'the last 18 months',
        'last eighteen months',
        'over the past 18 months',
        '18 months back',
        'for 18 months',
        'previous 18 months',
        '18 months of history',
        '18 months of data',
      ],
      de: ['die letzten 18 Monate', 'letzte achtzehn Monate', 'in den letzten 18 Monaten', 'über 18 Monate'],
      es: ['los últimos 18 meses', 'últimos dieciocho meses', 'durante 18 meses', 'en los últimos 18 meses'],
      fr: ['les 18 derniers mois', 'derniers 18 mois', 'pendant 18 mois', 'sur les 18 derniers mois'],
    },
  },
  {
    dates: { months: 24 },
    phrases: {
      en: ['the last two years', 'past 2 years', 'over the last 2 years', '2 years back', 'last 24 months'],
      de: ['die letzten zwei Jahre', 'in den letzten 2 Jahren', 'letzte 2 Jahre'],
      es: ['los últimos dos años', 'últimos 2 años', 'en los últimos dos años'],
      fr: ['les deux dernières années', 'les 2 derniers ans', 'sur les 2 dernières années'],
    },
  },
  {
    dates: { start: '2024-01-01', end: '2024-03-31' },
    phrases: {
      en: [
        'first quarter of 2024',
        'q1 2024',
        'Q1 of 2024',
        'the 1st quarter of 2024',
        'January to March 2024',
        'jan-mar 2024',
        '2024 Q1',
        'from jan to mar 2024',
      ],
      de: ['erstes Quartal 2024', 'im ersten Quartal 2024', 'Q1 2024', 'Januar bis März 2024'],
      es: ['primer trimestre de 2024', 'Q1 2024', 'enero a marzo de 2024', 'de enero a marzo de 2024'],
      fr: [
        'premier trimestre 2024',
        'au premier trimestre de 2024',
        'Q1 2024',
        'janvier à mars 2024',
        'de janvier à mars 2024',
      ],
    },
  },
];

/** Conditions of one rule: forms that mean the same, and how people say them after "buy when". */
export const conditions: readonly {
  readonly means: readonly RegExp[];
  readonly phrases: Phrases;
  /** Phrases without a direction, which mean the way up where something buys. */
  readonly toBuy?: Phrases;
}[] = [
  {
    means: [/^formula rsi\(close, 14\) < 30$/, /^rsi_oversold window=14 threshold=30$/],
    phrases: {
      en: [
        'RSI is below 30',
        'rsi < 30',
        'the RSI is under 30',
        'RSI less than 30',
        'the 14 period RSI is below 30',
        'RSI(14) < 30',
        'rsi 14 below 30',
        "the RSI's below 30",
        'relative strength index under 30',
        'RSI is lower than 30',
        'rsi sits below 30',
      ],
      de: [
        'der RSI unter 30 ist',
        'RSI < 30',
        'RSI kleiner als 30',
        'der RSI unter 30 liegt',
        'RSI(14) unter 30',
        'der 14er RSI unter 30 ist',
      ],
      es: [
        'el RSI esté por debajo de 30',
        'RSI < 30',
        'el RSI está bajo 30',
        'el RSI es menor que 30',
        'RSI(14) por debajo de 30',
      ],
      fr: [
        'le RSI est en dessous de 30',
        'RSI < 30',
        'le RSI est sous 30',
        'le RSI est inférieur à 30',
        'RSI(14) en dessous de 30',
      ],
    },
  },
  {
    means: [/^rsi_cross_up window=14 threshold=30$/, /^formula crosses_above\(rsi\(close, 14\), 30\)$/],
    phrases: {
      en: [
        'RSI crosses above 30',
        'RSI crosses up through 30',
        'the RSI crosses back above 30',
        'rsi breaks above 30',
        'RSI rises above 30',
        'RSI climbs over 30',
        'the rsi reclaims 30',
        'RSI goes above 30',
        'RSI moves back over 30',
      ],
      de: [
        'der RSI über 30 steigt',
        'der RSI 30 von unten kreuzt',
        'RSI kreuzt über 30',
        'der RSI die 30 überschreitet',
        'RSI die 30 nach oben kreuzt',
      ],
      es: [
        'el RSI cruce por encima de 30',
        'el RSI suba por encima de 30',
        'el RSI supere 30',
        'el RSI cruza hacia arriba 30',
      ],
      fr: [
        'le RSI passe au-dessus de 30',
        'le RSI repasse au-dessus de 30',
        'le RSI croise au-dessus de 30',
        'le RSI monte au-dessus de 30',
        'le RSI dépasse 30',
      ],
    },
  },
  {
    means: [/^ema_cross_up window_fast=12 window_slow=48$/],
    phrases: {
      en: [
        'EMA 12 crosses above EMA 48',
        'the 12 EMA crosses over the 48 EMA',
        'ema(12) crosses above ema(48)',
        'the 12/48 EMA cross up',
        '12 ema crosses up through 48 ema',
        'EMA12 crosses EMA48 to the upside',
        'the 12 and 48 EMAs cross up',
        'the 12 period EMA crosses above the 48 period EMA',
        'the fast EMA 12 crosses above the slow EMA 48',
      ],
      de: [
        'der EMA 12 den EMA 48 nach oben kreuzt',
        'EMA 12 kreuzt über EMA 48',
        'der 12er EMA über den 48er EMA steigt',
        'EMA(12) über EMA(48) kreuzt',
      ],
      es: [
        'la EMA 12 cruce por encima de la EMA 48',
        'la EMA de 12 cruza por encima de la EMA de 48',
        'EMA(12) cruza hacia arriba EMA(48)',
      ],
      fr: [
        "l'EMA 12 croise au-dessus de l'EMA 48",
        "l'EMA 12 passe au-dessus de l'EMA 48",
        'EMA(12) croise au-dessus de EMA(48)',
      ],
    },
  },
  {
    means: [/^macd_bullish_cross window_fast=12 window_slow=26 window_sign=9$/],
    phrases: {
      en: [
        'MACD crosses up',
        'the MACD crosses above its signal line',
        'macd bullish cross',
        'MACD crosses its signal upwards',
        'the MACD turns up',
        'MACD line crosses over the signal line',
        'a bullish MACD crossover',
        'MACD flips bullish',
      ],
      de: [
        'der MACD nach oben kreuzt',
        'der MACD die Signallinie nach oben kreuzt',
        'der MACD über die Signallinie steigt',
        'MACD kreuzt nach oben',
      ],
      es: ['el MACD cruce al alza', 'el MACD cruza por encima de su línea de señal', 'el MACD cruce hacia arriba'],
      fr: [
        'le MACD croise à la hausse',
        'le MACD passe au-dessus de sa ligne de signal',
        'le MACD croise vers le haut',
      ],
    },
  },
  {
    means: [/^is_above_sma window=200$/, /^formula close > sma\(close, 200\)$/],
    phrases: {
      en: [
        'price is above the 200 SMA',
        'close > sma(200)',
        'the close is over the 200 day moving average',
        'price sits above the 200 period SMA',
        'price above SMA 200',
        'we are above the 200 MA',
        'price trades above its 200-day average',
        'close above 200sma',
      ],
      de: [
        'der Kurs über dem SMA 200 ist',
        'der Schlusskurs über dem 200er SMA liegt',
        'Kurs über SMA(200)',
        'der Kurs über der 200-Tage-Linie liegt',
      ],
      es: [
        'el precio esté por encima de la SMA 200',
        'el cierre está por encima de la media móvil de 200',
        'precio sobre SMA(200)',
      ],
      fr: [
        'le prix est au-dessus de la SMA 200',
        'la clôture est au-dessus de la moyenne mobile 200',
        'le cours est au-dessus de la SMA(200)',
      ],
    },
  },
  {
    means: [
      /^bb_lower_breakout window=20 window_dev=2$/,
      /^bb_below_lower window=20 window_dev=2$/,
      /^formula (?:close < |crosses_below\(close, )bollinger_lower\(20, 2\)\)?$/,
    ],
    phrases: {
      en: [
        'the close is below the lower Bollinger band',
        'price closes under the lower bollinger band',
        'close breaks the lower Bollinger band',
        'price touches the lower Bollinger band',
        'price drops below the lower BB',
        'close < lower bollinger',
        'we close outside the lower bollinger band',
      ],
      de: [
        'der Schlusskurs unter dem unteren Bollinger-Band liegt',
        'der Kurs das untere Bollinger-Band bricht',
        'der Kurs unter das untere Bollingerband fällt',
      ],
      es: [
        'el cierre está por debajo de la banda inferior de Bollinger',
        'el precio cae por debajo de la banda de Bollinger inferior',
        'el precio rompe la banda inferior de Bollinger',
      ],
      fr: [
        'la clôture est sous la bande inférieure de Bollinger',
        'le cours passe sous la bande de Bollinger inférieure',
        'le prix casse la bande inférieure de Bollinger',
      ],
    },
  },
  {
    means: [/^dc_upper_breakout window=20$/, /^formula close > highest\(high, 20\)\[1\]$/],
    phrases: {
      en: [
        'price breaks the 20 day high',
        'the close is above the 20 bar high',
        'a new 20 day high',
        'close breaks above the upper donchian (20)',
        'price makes a new high of 20 days',
      ],
      de: ['der Kurs das 20-Tage-Hoch bricht', 'der Kurs aus dem Donchian-Kanal 20 nach oben ausbricht'],
      es: ['el precio rompe el máximo de 20 días', 'el precio supera el máximo de 20 velas'],
      fr: ['le prix casse le plus haut de 20 jours', 'le cours dépasse le plus haut de 20 bougies'],
    },
    toBuy: {
      en: ['price breaks out of the 20 period Donchian channel', 'donchian 20 breakout'],
      de: ['Donchian 20 Ausbruch'],
      es: ['ruptura del canal de Donchian 20'],
      fr: ['cassure du canal de Donchian 20'],
    },
  },
  {
    means: [/^supertrend_flip_up window=10 multiplier=3$/],
    phrases: {
      en: [
        'supertrend flips up',
        'the Supertrend turns bullish',
        'supertrend(10, 3) flips up',
        'super trend 10/3 flips bullish',
        'Supertrend flips to long',
      ],
      de: ['der Supertrend nach oben dreht', 'Supertrend(10, 3) nach oben dreht', 'der Supertrend bullisch dreht'],
      es: ['el Supertrend gira hacia arriba', 'Supertrend(10, 3) gira al alza', 'el supertrend cambia al alza'],
      fr: [
        'le Supertrend bascule à la hausse',
        'Supertrend(10, 3) passe à la hausse',
        'le supertrend se retourne à la hausse',
      ],
    },
  },
  {
    means: [/^adx_strong_trend window=14 threshold=25$/, /^formula adx\(14\) > 25$/],
    phrases: {
      en: ['ADX is above 25', 'ADX > 25', 'the adx is at least 25', 'adx over 25', 'ADX(14) above 25'],
      de: ['der ADX über 25 ist', 'ADX > 25', 'ADX größer als 25'],
      es: ['el ADX está por encima de 25', 'ADX > 25', 'el ADX es mayor que 25'],
      fr: ["l'ADX est au-dessus de 25", 'ADX > 25', "l'ADX est supérieur à 25"],
    },
  },
];

/** How people begin a rule that buys, and one that sells. */
export const buyHeads: Phrases = {
  en: [
    'buy when {c}',
    'go long when {c}',
    'enter when {c}',
    'I want to buy when {c}',
    '{c}: buy',
    'entry: {c}',
    'long if {c}',
    'get in when {c}',
    'if {c}, buy',
    'when {c}, go long',
    'open a long as soon as {c}',
    'buy once {c}',
  ],
  de: [
    'kaufe, wenn {c}',
    'kaufen, sobald {c}',
    'Einstieg: {c}',
    'ich will kaufen, wenn {c}',
    'Kauf, falls {c}',
    'wenn {c}, kaufen',
  ],
  es: ['compra cuando {c}', 'comprar si {c}', 'entrada: {c}', 'quiero comprar cuando {c}', 'cuando {c}, comprar'],
  fr: ['achète quand {c}', 'acheter si {c}', 'entrée : {c}', 'je veux acheter quand {c}', 'quand {c}, acheter'],
};
export const sellHeads: Phrases = {
  en: [
    'sell when {c}',
    'exit when {c}',
    'get out when {c}',
    'close the position when {c}',
    'exit: {c}',
    'close it if {c}',
    'leave when {c}',
    'if {c}, sell',
    'take profit when {c}',
    'out once {c}',
  ],
  de: [
    'verkaufe, wenn {c}',
    'verkaufen, sobald {c}',
    'Ausstieg: {c}',
    'raus, wenn {c}',
    'wenn {c}, verkaufen',
    'aussteigen, wenn {c}',
  ],
  es: ['vende cuando {c}', 'vender si {c}', 'salida: {c}', 'sal cuando {c}', 'cerrar cuando {c}'],
  fr: ['vends quand {c}', 'vendre si {c}', 'sortie : {c}', 'sortir quand {c}', 'quand {c}, vendre'],
};

/** What people answer, by what it means. */
export const intents: readonly { readonly intent: string; readonly phrases: Phrases }[] = [
  {
    intent: 'agree',
    phrases: {
      en: [
        'yes',
        'Yes please',
        'ok',
        'okay',
        'go on',
        'go ahead',
        'sure',
        'sounds good',
        "let's go",
        'do it',
        'run it',
        'yep',
        'yeah sure',
        'continue',
        'perfect',
        'looks good',
        'fine',
        'alright',
        'cool, go',
        'great, run it',
        'yes, go on please',
        'ok do it',
        'k',
        'correct',
        "that's right",
        'looks right, go on',
        'please continue',
        'yes run the backtest',
        'ok, test it',
        'carry on',
      ],
      de: [
        'ja',
        'Ja bitte',
        'weiter',
        'ok',
        'mach weiter',
        'passt',
        'los',
        "los geht's",
        'einverstanden',
        'gut, weiter',
        'genau',
        'klar',
        'ja, mach das',
        'in Ordnung',
        'alles klar',
        'stimmt so',
        'bitte weiter',
        'ja gerne',
      ],
      es: [
        'sí',
        'si',
        'vale',
        'adelante',
        'de acuerdo',
        'sigue',
        'continúa',
        'claro',
        'perfecto',
        'ok, dale',
        'sí, por favor',
        'hazlo',
        'está bien',
        'muy bien, sigue',
      ],
      fr: [
        'oui',
        "d'accord",
        'vas-y',
        'continue',
        'ok',
        'parfait',
        "c'est bon",
        'oui, continue',
        'allez-y',
        'très bien',
        "oui s'il te plaît",
        'lance',
        'ça marche',
      ],
    },
  },
  {
    intent: 'ask',
    phrases: {
      en: [
        'what?',
        'what is a filter?',
        'why?',
        'and what happens if I say go on?',
        'did we make money?',
        'what was the worst trade?',
        'how many trades?',
        'was it luck?',
        'can you guarantee 10 % a month?',
        'what did the fees cost?',
        'sure?',
        'is that good?',
      ],
      de: [
        'was?',
        'was ist ein Filter?',
        'warum?',
        'haben wir Geld verdient?',
        'was war der schlechteste Trade?',
        'wie viele Trades?',
        'war das Glück?',
        'ist das gut?',
      ],
      es: [
        '¿qué?',
        '¿qué es un filtro?',
        '¿por qué?',
        '¿ganamos dinero?',
        '¿cuál fue la peor operación?',
        '¿cuántas operaciones?',
        'no entiendo',
        '¿es bueno?',
      ],
      fr: [
        'quoi ?',
        "c'est quoi un filtre ?",
        'pourquoi ?',
        'combien de trades ?',
        'quel était le pire trade ?',
        'je ne comprends pas',
        "c'est bien ?",
      ],
    },
  },
];

/** How people begin a rule that sells short, and one that buys back. */
export const shortHeads: Phrases = {
  en: [
    'short when {c}',
    'go short when {c}',
    'sell short if {c}',
    'enter short when {c}',
    'short entry: {c}',
    'open a short as soon as {c}',
    'if {c}, short',
    'I want to short when {c}',
  ],
  de: [
    'short, wenn {c}',
    'leerverkaufen, wenn {c}',
    'gehe short, sobald {c}',
    'Short-Einstieg: {c}',
    'verkaufe leer, wenn {c}',
  ],
  es: [
    'vende en corto cuando {c}',
    'ponte corto cuando {c}',
    'abre corto cuando {c}',
    'entrada corta: {c}',
    'en corto si {c}',
  ],
  fr: ['vends à découvert quand {c}', 'short quand {c}', 'shorte quand {c}', 'vendre à découvert si {c}'],
};
export const coverHeads: Phrases = {
  en: [
    'cover when {c}',
    'buy back when {c}',
    'buy to cover if {c}',
    'close the short when {c}',
    'exit short when {c}',
    'short exit: {c}',
    'cover the short once {c}',
  ],
  de: ['eindecken, wenn {c}', 'zurückkaufen, wenn {c}', 'decke ein, sobald {c}', 'Short schließen, wenn {c}'],
  es: ['recompra cuando {c}', 'cubre cuando {c}', 'cierra el corto cuando {c}', 'cubrir si {c}'],
  fr: ['rachète quand {c}', 'couvre quand {c}', 'ferme le short quand {c}', 'racheter si {c}'],
};

/** Wishes about sides, margin and moving levels, with the settings with which they run. */
export const sidedWishes: readonly {
  readonly runs: Readonly<Record<string, unknown>>;
  readonly sides?: 'long' | 'short' | 'both';
  readonly phrases: Phrases;
}[] = [
  {
    runs: { leverage: 5 },
    phrases: {
      en: [
        '5x leverage',
        'leverage 5',
        'leverage of 5x',
        'with 5x leverage',
        '5 times leverage',
        'use a leverage of 5',
        'leverage: 5',
        'x5 leverage',
        'five times leverage',
        'leverage at 5',
      ],
      de: ['Hebel 5', '5x Hebel', 'Hebel von 5', 'mit 5-fachem Hebel', '5fach gehebelt', 'mit Hebel 5'],
      es: [
        'apalancamiento 5x',
        'apalancamiento de 5',
        '5x de apalancamiento',
        'con apalancamiento 5',
        'apalancamiento x5',
      ],
      fr: ['levier 5', 'levier de 5', 'effet de levier de 5', 'avec un levier x5', '5x de levier'],
    },
  },
  {
    runs: { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.03, trailing_distance: 1 },
    phrases: {
      en: [
        'trailing stop of 3 %',
        '3% trailing stop',
        'trailing stop 3 percent',
        'trail the stop by 3 %',
        'a trailing stop at 3%',
        'with a 3% trailing stop loss',
        'trailing SL 3%',
        'use a stop that trails by 3 %',
        'trailing stop 3% behind the price',
      ],
      de: [
        'Trailing-Stop 3 %',
        'nachgezogener Stop von 3 %',
        '3 % Trailing Stop',
        'Trailing Stop von 3 Prozent',
        'Stop mit 3 % nachziehen',
      ],
      es: ['trailing stop del 3 %', 'stop móvil del 3 %', 'stop dinámico de 3 %', 'un trailing stop de 3 por ciento'],
      fr: ['trailing stop de 3 %', 'stop suiveur de 3 %', 'un stop suiveur à 3 %', 'stop suiveur 3 pour cent'],
    },
  },
  {
    runs: { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.03, trailing_distance: 1, trailing_start: 2 },
    phrases: {
      en: [
        'trailing stop of 3 % from a gain of 6 %',
        'trailing stop 3% once it is up 6%',
        '3 % trailing stop after 6 % profit',
        'trailing stop 3 %, starting at 6 %',
      ],
      de: ['Trailing-Stop 3 % ab 6 % Gewinn', 'nachgezogener Stop von 3 % ab einem Gewinn von 6 %'],
      es: ['trailing stop del 3 % desde una ganancia de 6 %', 'stop móvil del 3 % a partir de 6 % de ganancia'],
      fr: ['stop suiveur de 3 % à partir d’un gain de 6 %', 'trailing stop de 3 % dès 6 % de gain'],
    },
  },
  {
    runs: { stop_loss_calculation: 'dynamic_atr', atr_volatility_factor: 3, trailing_distance: 1 },
    phrases: {
      en: [
        'trailing stop of 3 ATR',
        '3 ATR trailing stop',
        'trailing stop 3 x ATR',
        '3x ATR trailing stop',
        'trail by 3 times the ATR',
      ],
      de: ['Trailing-Stop 3 ATR', 'nachgezogener Stop von 3 ATR'],
      es: ['trailing stop de 3 ATR', 'stop móvil de 3 ATR'],
      fr: ['trailing stop de 3 ATR', 'stop suiveur de 3 ATR'],
    },
  },
  {
    runs: {
      target_calculation: 'schedule',
      target_schedule: [
        [0, 0.06],
        [24, 0.03],
        [48, 0.01],
      ],
    },
    phrases: {
      en: [
        'ROI 6 %, 3 % after 24 bars, 1 % after 48 bars',
        'target 6 % at first, 3 % after 24 bars, 1 % after 48 bars',
        'roi table: 6% at once, after 24 bars 3%, after 48 bars 1%',
        'minimal roi 6 %, then 3 % after 24 hours and 1 % after 48 hours',
        'roi {"0": 0.06, "1440": 0.03, "2880": 0.01}',
      ],
      de: [
        'ROI 6 %, 3 % nach 24 Kerzen, 1 % nach 48 Kerzen',
        'Ziel zuerst 6 %, nach 24 Kerzen 3 %, nach 48 Kerzen 1 %',
      ],
      es: [
        'ROI 6 %, 3 % después de 24 velas, 1 % después de 48 velas',
        'objetivo 6 % al principio, 3 % tras 24 velas, 1 % tras 48 velas',
      ],
      fr: [
        'ROI 6 %, 3 % après 24 bougies, 1 % après 48 bougies',
        'objectif 6 % au début, 3 % après 24 bougies, 1 % après 48 bougies',
      ],
    },
  },
  {
    runs: { target_calculation: 'fixed', fixed_target_pct: 0.05 },
    phrases: {
      en: ['target 5 %', 'take profit at 5%', '5% target', 'TP 5%', 'ROI 5 %', 'profit target of 5 percent'],
      de: ['Ziel 5 %', 'Kursziel 5 %', 'Gewinnziel von 5 %'],
      es: ['objetivo 5 %', 'objetivo del 5 %', 'toma de beneficios en 5 %'],
      fr: ['objectif 5 %', 'objectif de 5 %', 'prise de profit à 5 %'],
    },
  },
  {
    runs: { break_even_at: 1 },
    phrases: {
      en: [
        'move the stop to break even at 1R',
        'break-even at 1R',
        'stop to breakeven after 1R',
        'move stop to break even',
      ],
      de: ['Stop bei 1R auf Break-even', 'Stop auf Einstand bei 1R'],
      es: ['stop a break even en 1R', 'mueve el stop a punto de equilibrio en 1R'],
      fr: ['stop à break-even à 1R', 'mets le stop au seuil de rentabilité à 1R'],
    },
  },
  {
    runs: { borrow_rate: 0.05 },
    phrases: {
      en: ['borrow rate 5 %', 'borrowing costs of 5%', '5% interest rate'],
      de: ['Leihsatz 5 %', 'Leihkosten von 5 %'],
      es: ['tasa de préstamo 5 %'],
      fr: ['taux d’emprunt de 5 %'],
    },
  },
  {
    runs: {},
    sides: 'both',
    phrases: {
      en: ['both sides', 'long and short', 'trade both sides', 'in both directions', 'longs and shorts', 'long/short'],
      de: ['beide Seiten', 'long und short', 'auf beiden Seiten', 'in beide Richtungen'],
      es: ['ambos lados', 'largo y corto', 'en ambas direcciones'],
      fr: ['les deux sens', 'long et short', 'dans les deux sens'],
    },
  },
  {
    runs: {},
    sides: 'long',
    phrases: {
      en: ['no shorts', 'long only', 'only longs', 'without shorting', 'no short selling', "don't short"],
      de: ['keine Shorts', 'nur long', 'ohne Leerverkauf'],
      es: ['sin cortos', 'solo largo', 'sin ventas en corto'],
      fr: ['pas de short', 'sans vente à découvert'],
    },
  },
];

/** One strategy in each language, which `corrections` change. */
export const correctedOpening: Readonly<Record<Language, string>> = {
  en: 'BTC 1h, buy when RSI(14) is below 30 and close above EMA(100), sell when RSI is above 65, risk 1 %, stop 4 %, account 20000, target 2R',
  de: 'BTC 1h, kaufe, wenn der RSI(14) unter 30 ist und der Kurs über dem EMA(100), verkaufe, wenn der RSI über 65 ist, Risiko 1 %, Stop 4 %, Konto 20000, Ziel 2R',
  es: 'BTC 1h, compra cuando el RSI(14) está por debajo de 30 y el precio por encima de la EMA(100), vende cuando el RSI está por encima de 65, riesgo 1 %, stop 4 %, cuenta 20000, objetivo 2R',
  fr: "BTC 1h, achète quand le RSI(14) est en dessous de 30 et le prix au-dessus de l'EMA(100), vends quand le RSI est au-dessus de 65, risque 1 %, stop 4 %, compte 20000, objectif 2R",
};

/** What one correction changes, and nothing else: `noEma` is the count of rules that buy. */
export const corrections: readonly {
  readonly what:
    | 'entry'
    | 'exit'
    | 'period'
    | 'ema'
    | 'risk'
    | 'stop'
    | 'account'
    | 'reward'
    | 'asset'
    | 'timeframe'
    | 'noEma';
  readonly becomes: string | number;
  readonly phrases: Phrases;
}[] = [
  {
    what: 'entry',
    becomes: '25',
    phrases: {
      en: [
        '25 instead of 30',
        'make it 25 instead of 30',
        'entry at 25',
        'the entry at 25 please',
        'buy below 25 instead',
        'use 25 for the entry',
        'change the 30 to 25',
        'lower the entry to 25',
        '30 should be 25',
        'not 30, 25',
        'RSI threshold 25 for the entry',
        'buy at 25 rather',
        'I meant 25, not 30',
        '30 -> 25',
        'actually below 25',
      ],
      de: [
        '25 statt 30',
        'lieber 25 als 30',
        'Einstieg bei 25',
        'Kauf lieber bei 25',
        'nimm 25 statt 30',
        'nicht 30, sondern 25',
        'Einstieg doch bei 25',
        'RSI-Schwelle 25 für den Einstieg',
        'eher unter 25',
      ],
      es: [
        '25 en vez de 30',
        'mejor 25 en lugar de 30',
        'entrada en 25',
        'compra mejor en 25',
        'usa 25 en vez de 30',
        'no 30 sino 25',
        'cambia 30 a 25',
        'mejor por debajo de 25',
      ],
      fr: [
        '25 au lieu de 30',
        'plutôt 25 que 30',
        'entrée à 25',
        'achète plutôt à 25',
        'mets 25 à la place de 30',
        'pas 30 mais 25',
        'change 30 en 25',
        'plutôt en dessous de 25',
      ],
    },
  },
  {
    what: 'exit',
    becomes: '70',
    phrases: {
      en: [
        'exit at 70',
        'sell at 70 instead',
        '70 instead of 65',
        'the exit at 70 rather',
        'sell above 70 instead',
        'use 70 for the exit',
        'raise the exit to 70',
        'exit threshold 70',
        'get out at 70 instead',
      ],
      de: ['Ausstieg bei 70', 'verkaufe lieber bei 70', '70 statt 65', 'Ausstieg doch bei 70', 'verkaufe erst über 70'],
      es: ['salida en 70', 'vende en 70', '70 en vez de 65', 'mejor vende en 70', 'vende por encima de 70 mejor'],
      fr: ['sortie à 70', 'vends plutôt à 70', '70 au lieu de 65', 'vends au-dessus de 70 plutôt'],
    },
  },
  {
    what: 'period',
    becomes: '7',
    phrases: {
      en: [
        'RSI period 7',
        'use RSI(7)',
        '7 period RSI',
        'period of 7 for the rsi',
        'rsi length 7',
        'make the RSI period 7',
        'RSI window 7',
        'use a 7 period rsi instead',
      ],
      de: ['RSI-Periode 7', 'Periode 7 für den RSI', 'RSI mit Periode 7'],
      es: ['periodo 7 para el RSI', 'periodo del RSI 7'],
      fr: ['période 7 pour le RSI', 'période du RSI à 7'],
    },
  },
  {
    what: 'ema',
    becomes: '50',
    phrases: {
      en: [
        '50 instead of 100',
        'EMA 50 instead',
        'use the 50 EMA',
        'make the EMA 50',
        'ema period 50',
        'change the ema to 50',
        'the 50 ema rather',
      ],
      de: ['50 statt 100', 'EMA 50 stattdessen', 'lieber den 50er EMA', 'EMA-Periode 50'],
      es: ['50 en vez de 100', 'mejor EMA 50', 'usa la EMA de 50'],
      fr: ['50 au lieu de 100', 'plutôt EMA 50', "prends l'EMA 50"],
    },
  },
  {
    what: 'risk',
    becomes: 0.02,
    phrases: {
      en: ['risk 2 %', '2% risk instead', 'make the risk 2 %', 'risk 2 instead of 1 %', 'raise risk to 2%'],
      de: ['Risiko 2 %', 'lieber 2 % Risiko', 'Risiko doch 2 %', '2 % statt 1 % Risiko'],
      es: ['riesgo 2 %', 'mejor 2 % de riesgo', 'riesgo del 2 % en vez de 1 %'],
      fr: ['risque 2 %', 'plutôt 2 % de risque', 'risque de 2 % au lieu de 1 %'],
    },
  },
  {
    what: 'stop',
    becomes: 0.05,
    phrases: {
      en: [
        'stop 5 %',
        '5% stop instead',
        'make the stop 5 %',
        'move the stop to 5%',
        '5 % instead of 4 % for the stop',
      ],
      de: ['Stop 5 %', 'lieber 5 % Stop', 'Stop doch 5 %', 'Stop auf 5 %', '5 % statt 4 % Stop'],
      es: ['stop 5 %', 'mejor stop del 5 %', 'stop a 5 %', 'stop de 5 % en vez de 4 %'],
      fr: ['stop 5 %', 'plutôt stop à 5 %', 'stop de 5 % au lieu de 4 %'],
    },
  },
  {
    what: 'account',
    becomes: 50000,
    phrases: {
      en: ['account 50000', '50k account', 'make it a 50,000 account', '50k instead of 20k', 'with $50,000'],
      de: ['Konto 50.000', 'lieber 50.000 Euro', '50.000 statt 20.000'],
      es: ['cuenta 50.000', '50.000 en vez de 20.000', 'con 50.000 euros'],
      fr: ['compte 50 000', '50 000 au lieu de 20 000', 'avec 50 000 euros'],
    },
  },
  {
    what: 'reward',
    becomes: 3,
    phrases: {
      en: ['target 3R', '3R instead', '3R instead of 2R', 'make the target 3R', 'reward 3'],
      de: ['Ziel 3R', 'lieber 3R', '3R statt 2R'],
      es: ['objetivo 3R', '3R en vez de 2R', 'mejor 3R'],
      fr: ['objectif 3R', '3R au lieu de 2R', 'plutôt 3R'],
    },
  },
  {
    what: 'asset',
    becomes: 'ETH',
    phrases: {
      en: [
        'use ETH instead',
        'ETH instead of BTC',
        'no, ETH',
        'actually ethereum',
        'switch to eth',
        'make it ETH',
        'on ETH please',
      ],
      de: ['lieber ETH', 'ETH statt BTC', 'nein, ETH', 'doch Ethereum'],
      es: ['mejor ETH', 'ETH en vez de BTC', 'no, ETH'],
      fr: ['plutôt ETH', 'ETH au lieu de BTC', 'non, ETH'],
    },
  },
  {
    what: 'timeframe',
    becomes: '4h',
    phrases: {
      en: [
        '4h instead',
        'use 4h',
        'on the 4h chart',
        '4 hours rather',
        'no, 4h',
        'switch to 4h bars',
        '4h instead of 1h',
      ],
      de: ['lieber 4h', '4h statt 1h', 'nein, 4 Stunden', 'im 4h-Chart'],
      es: ['mejor 4h', '4h en vez de 1h', 'no, 4 horas'],
      fr: ['plutôt 4h', '4h au lieu de 1h', 'non, 4 heures'],
    },
  },
  {
    what: 'noEma',
    becomes: 1,
    phrases: {
      en: [
        'drop the EMA',
        'remove the ema filter',
        'no EMA',
        'without the EMA',
        'forget the ema',
        'lose the EMA filter',
        'take out the ema',
      ],
      de: ['ohne EMA', 'lass den EMA weg', 'kein EMA', 'entferne den EMA', 'streich den EMA'],
      es: ['sin EMA', 'quita la EMA', 'elimina la EMA'],
      fr: ['sans EMA', "enlève l'EMA", "retire l'EMA", 'laisse tomber l’EMA'],
    },
  },
];
