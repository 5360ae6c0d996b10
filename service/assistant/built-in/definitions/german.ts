import type { DefinitionTable } from './table.js';

export const german: DefinitionTable = {
  backtest: {
    called: 'backtest|backtests|backtesting|rucktest',
    means:
      'Ein Backtest lässt Handelsregeln über vergangene Kurse laufen, Kerze für Kerze, und zeigt, was sie nach Kosten verdient hätten. Er sagt etwas über die Vergangenheit; die Zukunft kann anders sein.',
  },
  candle: {
    called: 'kerze|kerzen|candle|candles|bar|bars|balken',
    means:
      'Eine Kerze hat die Preise eines Zeitraums: Eröffnung, Hoch, Tief und Schluss, dazu das gehandelte Volumen. Im 4h-Chart deckt jede Kerze vier Stunden ab.',
  },
  timeframe: {
    called: 'zeitrahmen|timeframe|zeiteinheit|zeitebene|intervall|tageschart|stundenchart',
    means:
      'Der Zeitrahmen sagt, wie viel Zeit eine Kerze abdeckt, etwa 1h, 4h oder 1d. Regeln werden einmal je Kerze geprüft, wenn sie schließt.',
  },
  asset: {
    called: 'asset|assets|wert|coin|coins|symbol|handelspaar|paar',
    means: 'Ein Wert (Asset) ist das, was gehandelt wird, etwa BTC oder ETH, hier mit Preisen in Dollar.',
  },
  long: {
    called: 'long|long gehen|long position|long-position|kaufposition',
    means:
      'Long heißt: erst kaufen und später verkaufen. Du gewinnst, wenn der Preis steigt, und verlierst, wenn er fällt.',
  },
  short: {
    called: 'short|shorten|short gehen|short position|short-position|leerverkauf|leerverkaufe|leerverkaufen',
    means:
      'Short heißt: etwas Geliehenes erst verkaufen und später zurückkaufen. Du gewinnst, wenn der Preis fällt; steigt er, kann der Verlust größer werden als dein Einsatz.',
  },
  position: {
    called: 'position|positionen|offene position',
    means: 'Eine Position ist das, was du zwischen Einstieg und Ausstieg hältst.',
  },
  trade: {
    called: 'trade|trades|geschaft|handel',
    means: 'Ein Trade ist ein Einstieg mit seinem Ausstieg, mit dem Gewinn oder Verlust dazwischen nach Kosten.',
  },
  entry: {
    called: 'einstieg|einstiege|entry|einstiegssignal',
    means: 'Der Einstieg ist der Moment, in dem eine Position eröffnet wird: Der Auslöser gilt und alle Filter auch.',
  },
  exit: {
    called: 'ausstieg|ausstiege|exit|ausstiegssignal',
    means:
      'Der Ausstieg ist der Moment, in dem eine Position geschlossen wird: durch eine Regel, den Stop, das Ziel oder das Ende der Daten.',
  },
  stop: {
    called: 'stop|stopp|stop loss|stop-loss|stopp-loss|stoploss|verlustgrenze|sl',
    means:
      'Ein Stop-Loss ist ein Preis, bei dem eine Position mit Verlust geschlossen wird, damit ein Trade nicht mehr verliert als geplant. „Stop 3 %“ schließt eine Long-Position 3 % unter dem Einstieg; bei einem Kurssprung kann es tiefer werden.',
  },
  trailing_stop: {
    called: 'trailing stop|trailing-stop|trailing|nachgezogener stop|nachziehender stop',
    means: 'Ein Trailing-Stop folgt dem Preis, solange er in deine Richtung läuft, und bleibt stehen, wenn er dreht.',
  },
  target: {
    called: 'ziel|kursziel|gewinnziel|take profit|take-profit|target|tp',
    means:
      'Ein Ziel (Take-Profit) ist ein Preis, bei dem eine Position mit Gewinn geschlossen wird. Hier ist es ein Vielfaches des Abstands zum Stop: bei Stop 3 % und zweifachem Risiko liegt es 6 % über dem Einstieg.',
  },
  reward_factor: {
    called: 'r|1r|2r|3r|crv|chance risiko verhaltnis|chance-risiko-verhaltnis|r multiple|risk reward',
    means:
      'R ist der Betrag, den ein Trade riskiert, vom Einstieg bis zum Stop. Ein Ziel von 2R liegt doppelt so weit vom Einstieg wie der Stop.',
  },
  drawdown: {
    called: 'drawdown|max drawdown|maximaler drawdown|grosster drawdown|ruckgang|drawdowns',
    means:
      'Ein Drawdown ist, wie weit das Konto von seinem höchsten Stand bis zum folgenden Tief gefallen ist, als Anteil an diesem Hoch. Der größte sagt, wie viel du hättest aushalten müssen.',
  },
  sharpe: {
    called: 'sharpe|sharpe ratio|sharpe-ratio|sharpe quote',
    means:
      'Die Sharpe Ratio ist die mittlere Rendite geteilt durch ihre Schwankung, auf ein Jahr gerechnet: mehr Ertrag bei weniger Auf und Ab macht sie höher. Etwa 1 ist über viele Jahre ordentlich; ein hoher Wert aus wenigen Trades kann Glück sein.',
  },
  sortino: {
    called: 'sortino|sortino ratio|sortino-ratio',
    means: 'Die Sortino Ratio ist eine Sharpe Ratio, die nur die Rückgänge als Risiko zählt.',
  },
  return: {
    called: 'rendite|ertrag|return|gesamtrendite',
    means: 'Die Rendite ist, was das Konto im Verhältnis zum Anfang gewonnen oder verloren hat, nach Kosten.',
  },
  win_rate: {
    called: 'trefferquote|gewinnquote|win rate|winrate|hit rate',
    means:
      'Die Trefferquote ist der Anteil der Trades mit Gewinn. Allein sagt sie wenig: viele kleine Gewinne und wenige große Verluste können zusammen verlieren.',
  },
  profit_factor: {
    called: 'profitfaktor|profit factor|profit-faktor',
    means:
      'Der Profitfaktor ist die Summe der Gewinne geteilt durch die Summe der Verluste: über 1 haben die Trades Geld verdient.',
  },
  streak: {
    called: 'verlustserie|serie|losing streak',
    means: 'Eine Verlustserie ist eine Reihe von Verlusttrades ohne Gewinn dazwischen.',
  },
  fee: {
    called: 'gebuhr|gebuhren|kommission|provision|fee|fees|handelskosten|handelsgebuhr',
    means:
      'Eine Gebühr nimmt die Börse bei jeder Ausführung, ein Trade zahlt sie also zweimal: beim Kauf und beim Verkauf.',
  },
  slippage: {
    called: 'slippage|schlupf',
    means:
      'Slippage ist der Unterschied zwischen dem erwarteten Preis und dem, den du bekommst, weil sich der Kurs bewegt oder zu wenig angeboten wird. Sie ist ein Teil der Kosten jeder Ausführung.',
  },
  spread: {
    called: 'spread|geld brief spanne|geld-brief-spanne',
    means:
      'Der Spread ist der Abstand zwischen dem besten Kauf- und dem besten Verkaufspreis; ihn zu überqueren kostet.',
  },
  basis_point: {
    called: 'basispunkt|basispunkte|bp|bps',
    means: 'Ein Basispunkt ist ein Hundertstel Prozent: 10 Basispunkte sind 0,1 %.',
  },
  leverage: {
    called: 'hebel|leverage|hebelhandel|margin|gehebelt',
    means:
      'Ein Hebel heißt: mit geliehenem Geld mehr handeln, als du hast. Hebel 3 macht Gewinne und Verluste dreimal so groß, und ein Kursrückgang um ein Drittel kann alles kosten.',
  },
  liquidation: {
    called: 'liquidation|liquidiert|margin call',
    means:
      'Eine Liquidation ist, wenn die Börse eine gehebelte Position schließt, weil die Verluste die Sicherheit aufgezehrt haben.',
  },
  funding: {
    called: 'funding|funding rate|finanzierungsrate',
    means:
      'Funding ist, was Halter von Perpetual Futures einander alle paar Stunden zahlen, damit deren Preis nahe am Kassakurs bleibt.',
  },
  trigger: {
    called: 'trigger|ausloser|auslosern',
    means:
      'Ein Auslöser (Trigger) ist das Ereignis, das einen Trade öffnet, wahr auf der Kerze, auf der etwas geschieht, etwa eine Kreuzung.',
  },
  filter: {
    called: 'filter|filtern',
    means:
      'Ein Filter ist ein Zustand, der auf der Kerze des Auslösers gelten muss, etwa „der Schlusskurs liegt über dem 200-Tage-Schnitt“. Er lässt weniger Trades durch.',
  },
  signal: {
    called: 'signal|signale|handelssignal',
    means:
      'Ein Signal ist eine benannte Bedingung, die auf jeder Kerze wahr oder falsch ist, etwa „RSI kreuzt über 30“.',
  },
  indicator: {
    called: 'indikator|indikatoren|oszillator',
    means:
      'Ein Indikator ist eine Zahl, die aus vergangenen Preisen oder Volumen berechnet wird, eine je Kerze, etwa ein gleitender Durchschnitt oder der RSI.',
  },
  strategy: {
    called: 'strategie|handelsstrategie|strategien|trading strategie',
    means:
      'Eine Strategie ist ein Satz von Regeln: wann gekauft und verkauft wird, wo Stop und Ziel liegen und wie viel riskiert wird.',
  },
  candidate: {
    called: 'kandidat|kandidaten',
    means: 'Ein Kandidat ist ein vollständiger Satz von Regeln, den ich aus deiner Idee gemacht habe und testen kann.',
  },
  position_size: {
    called: 'positionsgrosse|position size|positionsgrossen|positionsgrossenbestimmung',
    means:
      'Die Positionsgröße ist, wie viel ein Trade kauft. Hier folgt sie aus dem Risiko: Konto mal Risiko je Trade, geteilt durch den Abstand zum Stop, und nie mehr als das Konto.',
  },
  risk: {
    called: 'risiko|risiko pro trade|risiko je trade|risikomanagement',
    means:
      'Das Risiko je Trade ist der Anteil des Kontos, den ein Trade verlieren darf, wenn sein Stop erreicht wird. Bei 1 % von 10.000 sind das 100, vor Kosten und Kurssprüngen.',
  },
  equity: {
    called: 'equity|equity kurve|equitykurve|kontowert|kapitalkurve',
    means:
      'Equity ist, was das Konto zu einem Zeitpunkt wert ist: Bargeld und der Wert dessen, was es hält. Ihre Linie über die Zeit ist die Kapitalkurve.',
  },
  buy_and_hold: {
    called: 'buy and hold|kaufen und halten|halten|benchmark|hodl',
    means:
      'Kaufen und halten heißt: am Anfang kaufen und bis zum Ende behalten. Eine Strategie, die bei gleichem Risiko weniger verdient, war ihre Trades nicht wert.',
  },
  overfitting: {
    called: 'overfitting|uberanpassung|overfit|uberoptimierung|curve fitting',
    means:
      'Überanpassung heißt: Regeln wurden so lange gewählt, bis sie zum Rauschen der Vergangenheit passen. Im Backtest sehen sie gut aus und versagen auf neuen Daten; je mehr Varianten du probierst, desto eher.',
  },
  holdout: {
    called: 'holdout|hold-out|out of sample|out-of-sample|testdaten|zuruckgehaltene daten',
    means:
      'Ein Holdout ist ein Teil der Geschichte, der beiseite bleibt, während Regeln gewählt werden, und am Ende einmal zeigt, ob sie auf Daten halten, die niemand gesehen hat.',
  },
  walk_forward: {
    called: 'walk forward|walk-forward|walk forward test|walk-forward-test|walk forward analyse',
    means:
      'Ein Walk-Forward-Test wählt die Regeln auf einem Stück der Vergangenheit und prüft sie auf dem nächsten, immer wieder.',
  },
  look_ahead: {
    called: 'look ahead|look-ahead|lookahead|look ahead bias|lookahead bias|repainting',
    means:
      'Look-ahead heißt: Eine Regel nutzt Werte, die zu der Zeit noch nicht bekannt waren. Der Backtest sieht dann besser aus, als Handeln wäre.',
  },
  parameter_sweep: {
    called: 'sweep|parametersuche|optimierung|rastersuche',
    means:
      'Ein Sweep lässt dieselben Regeln mit vielen Werten ihrer Parameter laufen. Der Beste von vielen hat auch Glück, darum beurteile ich ihn als den Besten von so vielen.',
  },
  luck: {
    called: 'signifikanz|statistische signifikanz|p wert|p-wert|gluck|zufall',
    means:
      'Wie oft Glück allein so gut abschneidet: bei ebenso vielen Versuchen mit Regeln ohne Vorteil der Anteil, deren Bester so gut ist wie deiner.',
  },
  paper_trading: {
    called: 'paper trading|papierhandel|papierkonto|demokonto|paper account|trockenlauf',
    means: 'Papierhandel folgt neuen Kursen, sobald sie kommen, mit Regeln, aber ohne Geld.',
  },
  warm_up: {
    called: 'warm up|warm-up|aufwarmphase|vorlauf|lookback|ruckblick',
    means:
      'Der Vorlauf sind die ersten Kerzen, für die ein Indikator noch zu wenig Vergangenheit hat; auf ihnen gilt keine Regel.',
  },
  moving_average: {
    called: 'gleitender durchschnitt|gleitende durchschnitte|durchschnitt|sma|ma|moving average|durchschnittslinie',
    means:
      'Ein gleitender Durchschnitt ist das Mittel der letzten Schlusskurse, etwa von 50. Er glättet den Kurs und folgt ihm mit Verspätung.',
  },
  ema: {
    called: 'ema|emas|exponentieller durchschnitt|exponentieller gleitender durchschnitt',
    means:
      'Ein EMA ist ein gleitender Durchschnitt, in dem jüngere Schlusskurse mehr zählen; er folgt dem Kurs schneller als ein einfacher.',
  },
  golden_cross: {
    called: 'golden cross|goldenes kreuz',
    means:
      'Ein goldenes Kreuz ist, wenn ein schneller Durchschnitt, oft über 50 Kerzen, über einen langsamen steigt, oft über 200. Das Todeskreuz ist das Gegenteil.',
  },
  crossover: {
    called: 'kreuzung|crossover|kreuz|ema kreuzung',
    means:
      'Eine Kreuzung ist die Kerze, auf der eine Linie die andere schneidet, etwa ein schneller Durchschnitt über einen langsamen.',
  },
  rsi: {
    called: 'rsi|relative starke index|relative strength index',
    means:
      'Der RSI vergleicht jüngste Gewinne mit jüngsten Verlusten auf einer Skala von 0 bis 100. Unter 30 heißt überverkauft, über 70 überkauft.',
  },
  macd: {
    called: 'macd',
    means:
      'Der MACD ist ein schneller Durchschnitt des Kurses minus einem langsamen. Er wird mit seinem eigenen Mittel verglichen, der Signallinie; eine Kreuzung darüber heißt bullisch.',
  },
  bollinger: {
    called: 'bollinger|bollinger band|bollinger bander|bollinger-band|bollinger-bander|bollingerband|bollingerbander',
    means:
      'Bollinger-Bänder liegen zwei Standardabweichungen über und unter einem gleitenden Durchschnitt: weit, wenn der Kurs stark schwankt, eng, wenn er ruht.',
  },
  atr: {
    called: 'atr|average true range',
    means:
      'Die ATR (Average True Range) ist, wie weit der Kurs innerhalb einer Kerze üblicherweise läuft. Stops nach ihr sind in wilden Märkten weiter.',
  },
  adx: {
    called: 'adx',
    means:
      'Der ADX sagt, wie stark ein Trend ist, von 0 bis 100, aufwärts wie abwärts. Über 25 gilt als starker Trend.',
  },
  stochastic: {
    called: 'stochastik|stochastic|stoch',
    means: 'Die Stochastik sagt, wo der Schlusskurs zwischen Tief und Hoch der letzten Kerzen liegt, von 0 bis 100.',
  },
  cci: {
    called: 'cci',
    means:
      'Der CCI sagt, wie weit der Preis von seinem Mittel entfernt ist, gemessen am üblichen Abstand. Jenseits von 100 oder -100 ist weit.',
  },
  supertrend: {
    called: 'supertrend',
    means:
      'Der Supertrend ist eine Linie, die dem Kurs im Abstand eines Vielfachen der ATR folgt und auf die andere Seite springt, wenn der Kurs sie kreuzt.',
  },
  donchian: {
    called: 'donchian ausbruch|donchian-ausbruch|donchian|donchian kanal|donchian-kanal|donchiankanal',
    means:
      'Ein Donchian-Kanal sind das höchste Hoch und das tiefste Tief der letzten Kerzen, etwa 20. Ein Schlusskurs darüber ist ein Ausbruch.',
  },
  keltner: {
    called: 'keltner|keltner kanal|keltner-kanal|keltnerkanal|keltner band|keltner-band',
    means: 'Keltner-Kanäle liegen ein Vielfaches der ATR über und unter einem gleitenden Durchschnitt.',
  },
  oversold: {
    called: 'uberverkauft|uberkauft|oversold|overbought',
    means:
      'Überverkauft heißt, dass der Kurs nach einem Indikator wie dem RSI schnell und weit gefallen ist; überkauft dasselbe nach oben. Keines sagt, dass er drehen muss.',
  },
  trend: {
    called: 'trend|trends|trendfolge|aufwartstrend|abwartstrend',
    means:
      'Ein Trend ist eine Bewegung der Kurse in eine Richtung über einige Zeit. Trendfolge kauft, was steigt, und gibt auf, wenn das endet.',
  },
  mean_reversion: {
    called: 'mean reversion|ruckkehr zum mittelwert|rucksetzer|mittelwertruckkehr',
    means:
      'Mean Reversion setzt darauf, dass ein Kurs, der weit unter sein Mittel gefallen ist, dorthin zurückkehrt: Sie kauft Rücksetzer.',
  },
  breakout: {
    called: 'ausbruch|ausbruche|breakout',
    means:
      'Ein Ausbruch ist, wenn der Kurs seine bisherige Spanne verlässt, etwa ein Schlusskurs über dem Hoch der letzten 20 Kerzen.',
  },
  momentum: {
    called: 'momentum|schwung',
    means:
      'Momentum ist, wie schnell der Kurs in eine Richtung läuft. Momentum-Regeln kaufen, was schnell gestiegen ist, weil es oft noch weitergeht.',
  },
  volatility: {
    called: 'volatilitat|schwankung|vola',
    means: 'Volatilität ist, wie stark der Kurs auf und ab geht, gleich in welche Richtung.',
  },
  volume: {
    called: 'volumen|volume|handelsvolumen',
    means: 'Das Volumen ist, wie viel innerhalb einer Kerze gehandelt wurde.',
  },
  liquidity: {
    called: 'liquiditat|liquide|illiquide',
    means:
      'Liquidität ist, wie viel sich kaufen oder verkaufen lässt, ohne den Kurs zu bewegen. Wo sie fehlt, ist die Slippage groß.',
  },
  bull_bear: {
    called: 'bullisch|barisch|bullish|bearish|bullenmarkt|barenmarkt',
    means: 'Bullisch heißt, dass steigende Kurse erwartet werden, bärisch, dass fallende erwartet werden.',
  },
};
