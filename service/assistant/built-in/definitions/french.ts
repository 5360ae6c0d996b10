import type { DefinitionTable } from './table.js';

export const french: DefinitionTable = {
  backtest: {
    called: 'backtest|backtests|backtesting|test historique',
    means:
      "Un backtest applique des règles de trading à des prix passés, bougie par bougie, et montre ce qu'elles auraient gagné après les frais. Il parle du passé ; l'avenir peut être différent.",
  },
  candle: {
    called: 'bougie|bougies|chandelier|chandeliers|candle|barre|barres|chandelier japonais',
    means:
      "Une bougie contient les prix d'un intervalle : ouverture, plus haut, plus bas et clôture, avec le volume échangé. Sur un graphique 4h, chaque bougie couvre quatre heures.",
  },
  timeframe: {
    called: 'unite de temps|timeframe|intervalle|horizon de temps|graphique journalier',
    means:
      "L'unité de temps est la durée que couvre une bougie, comme 1h, 4h ou 1d. Les règles sont vérifiées une fois par bougie, à sa clôture.",
  },
  asset: {
    called: 'actif|actifs|crypto|cryptomonnaie|symbole|paire',
    means: "Un actif est ce qui s'échange, comme BTC ou ETH, ici avec des prix en dollars.",
  },
  long: {
    called: 'long|etre long|position longue|aller long|position acheteuse',
    means:
      "Long veut dire acheter d'abord et vendre ensuite : tu gagnes quand le prix monte et tu perds quand il baisse.",
  },
  short: {
    called: 'short|shorter|etre short|position courte|vente a decouvert|vendre a decouvert|a decouvert',
    means:
      "Short veut dire vendre d'abord quelque chose d'emprunté et le racheter ensuite : tu gagnes quand le prix baisse, et s'il monte tu peux perdre plus que ta mise.",
  },
  position: {
    called: 'position|positions|position ouverte',
    means: 'Une position est ce que tu détiens entre une entrée et sa sortie.',
  },
  trade: {
    called: 'trade|trades|transaction|transactions',
    means: 'Un trade est une entrée avec sa sortie, avec le gain ou la perte entre les deux après les frais.',
  },
  entry: {
    called: "entree|entrees|regle d'entree|signal d'entree",
    means: "L'entrée est le moment où une position est ouverte : le déclencheur est vrai et tous les filtres aussi.",
  },
  exit: {
    called: 'sortie|sorties|regle de sortie|signal de sortie',
    means:
      "La sortie est le moment où une position est fermée : par une règle, le stop, l'objectif ou la fin des données.",
  },
  stop: {
    called: 'stop|stop loss|stop-loss|stoploss|sl|ordre stop',
    means:
      "Un stop-loss est un prix auquel une position perdante est fermée, pour qu'un trade ne perde pas plus que prévu. « Stop 3 % » ferme une position longue 3 % sous son entrée ; un saut du prix peut donner moins.",
  },
  trailing_stop: {
    called: 'trailing stop|trailing|stop suiveur|stop mobile',
    means: "Un stop suiveur suit le prix tant qu'il va dans ton sens et reste en place quand il se retourne.",
  },
  target: {
    called: 'objectif|objectifs|take profit|take-profit|cible|tp|prise de profit',
    means:
      "Un objectif, ou take profit, est un prix auquel une position gagnante est fermée. Ici c'est un multiple de la distance au stop : avec un stop de 3 % et 2 fois le risque, il est 6 % au-dessus de l'entrée.",
  },
  reward_factor: {
    called: 'r|1r|2r|3r|ratio risque rendement|risque rendement|risque/rendement|ratio gain risque|risk reward',
    means:
      "R est ce que risque un trade, de son entrée à son stop. Un objectif de 2R est deux fois plus loin de l'entrée que le stop.",
  },
  drawdown: {
    called: 'drawdown|drawdown maximal|drawdown maximum|baisse maximale|perte maximale|drawdowns',
    means:
      'Un drawdown est la baisse du compte de sa plus haute valeur au creux qui suit, en part de ce sommet. Le plus grand dit ce que tu aurais dû supporter.',
  },
  sharpe: {
    called: 'sharpe|ratio de sharpe|ratio sharpe|indice de sharpe|sharpe ratio',
    means:
      'Le ratio de Sharpe est le rendement moyen divisé par ses variations, sur un an : plus de gain avec moins de hauts et de bas le rend plus grand. Environ 1 est correct sur de longues années ; un grand ratio sur peu de trades peut être de la chance.',
  },
  sortino: {
    called: 'sortino|ratio de sortino|ratio sortino',
    means: 'Le ratio de Sortino est un ratio de Sharpe qui ne compte que les baisses comme risque.',
  },
  return: {
    called: 'rendement|rentabilite|return',
    means: "Le rendement est ce que le compte a gagné ou perdu par rapport à ce qu'il avait au début, après les frais.",
  },
  win_rate: {
    called: 'taux de reussite|taux de gain|win rate|winrate',
    means:
      'Le taux de réussite est la part des trades qui ont gagné. Seul, il dit peu : beaucoup de petits gains et quelques grosses pertes peuvent perdre.',
  },
  profit_factor: {
    called: 'profit factor|facteur de profit',
    means:
      'Le facteur de profit est la somme des gains divisée par celle des pertes : au-dessus de 1, les trades ont gagné.',
  },
  streak: {
    called: 'serie de pertes|serie perdante|serie',
    means: 'Une série de pertes est une suite de trades perdants sans gain entre eux.',
  },
  fee: {
    called: 'frais|commission|commissions|fee|fees|couts',
    means:
      "Les frais sont ce que la plateforme prend à chaque exécution ; un trade les paie donc deux fois : à l'achat et à la vente.",
  },
  slippage: {
    called: 'slippage|glissement',
    means:
      "Le slippage est l'écart entre le prix que tu attends et celui que tu obtiens, parce que le cours bouge ou que l'offre est trop mince. C'est un coût de chaque exécution.",
  },
  spread: {
    called: 'spread|fourchette|ecart acheteur vendeur',
    means: "Le spread est l'écart entre le meilleur prix d'achat et le meilleur prix de vente ; le franchir coûte.",
  },
  basis_point: {
    called: 'point de base|points de base|bp|bps',
    means: 'Un point de base est un centième de pour cent : 10 points de base font 0,1 %.',
  },
  leverage: {
    called: 'levier|effet de levier|leverage|marge|margin',
    means:
      "L'effet de levier, c'est trader avec plus que ce que tu as, avec de l'argent emprunté : un levier de 3 triple les gains et les pertes, et une baisse d'un tiers peut tout prendre.",
  },
  liquidation: {
    called: 'liquidation|liquide de force|appel de marge',
    means:
      "Une liquidation est la fermeture par la plateforme d'une position à levier dont les pertes ont épuisé la marge.",
  },
  funding: {
    called: 'funding|taux de funding|taux de financement|funding rate',
    means:
      'Le funding est ce que les détenteurs de contrats perpétuels se paient toutes les quelques heures, pour que leur prix reste proche du comptant.',
  },
  trigger: {
    called: 'declencheur|declencheurs|trigger',
    means:
      "Un déclencheur (trigger) est l'événement qui ouvre un trade, vrai sur la bougie où quelque chose arrive, comme un croisement de moyennes.",
  },
  filter: {
    called: 'filtre|filtres|filter',
    means:
      'Un filtre est un état qui doit être vrai sur la bougie du déclencheur, comme « la clôture est au-dessus de sa moyenne à 200 jours ». Il laisse passer moins de trades.',
  },
  signal: {
    called: 'signal|signaux|signal de trading',
    means:
      'Un signal est une condition nommée, vraie ou fausse sur chaque bougie, comme « le RSI passe au-dessus de 30 ».',
  },
  indicator: {
    called: 'indicateur|indicateurs|oscillateur|indicateur technique',
    means:
      'Un indicateur est un nombre calculé à partir des prix ou volumes passés, un par bougie, comme une moyenne mobile ou le RSI.',
  },
  strategy: {
    called: 'strategie|strategie de trading|strategies',
    means:
      "Une stratégie est un ensemble de règles : quand acheter et vendre, où sont le stop et l'objectif, et combien risquer.",
  },
  candidate: {
    called: 'candidat|candidats',
    means: "Un candidat est un ensemble complet de règles que j'ai fait de ton idée, prêt à être testé.",
  },
  position_size: {
    called: 'taille de position|taille de la position|taille des positions|position size',
    means:
      "La taille de position est la quantité qu'un trade achète. Ici elle vient du risque : le compte fois le risque par trade, divisé par la distance au stop, et jamais plus que le compte.",
  },
  risk: {
    called: 'risque|risque par trade|gestion du risque',
    means:
      "Le risque par trade est la part du compte qu'un trade peut perdre si son stop est touché. Avec 1 % de 10 000, c'est 100, avant les frais et les sauts de prix.",
  },
  equity: {
    called: "equity|courbe de capital|courbe d'equity|valeur du compte",
    means:
      "L'equity est ce que vaut le compte à un moment : les liquidités et la valeur de ce qu'il détient. Sa ligne dans le temps est la courbe de capital.",
  },
  buy_and_hold: {
    called: 'acheter et conserver|buy and hold|conserver|benchmark|hodl',
    means:
      "Acheter et conserver, c'est acheter au début et garder jusqu'à la fin. Une stratégie qui gagne moins pour autant de risque ne valait pas ses trades.",
  },
  overfitting: {
    called: 'overfitting|surapprentissage|surajustement|sur-apprentissage|suroptimisation|sur-optimisation',
    means:
      "Le surajustement, c'est choisir des règles jusqu'à ce qu'elles collent au bruit du passé. Elles sont belles dans le backtest et échouent sur des données nouvelles ; plus tu essaies de variantes, plus c'est probable.",
  },
  holdout: {
    called: 'holdout|hold-out|hors echantillon|out of sample|out-of-sample|donnees de test',
    means:
      "Un holdout est une partie de l'histoire mise de côté pendant le choix des règles, et utilisée une fois à la fin pour voir si elles tiennent sur des données que personne n'a regardées.",
  },
  walk_forward: {
    called: 'walk forward|walk-forward|test walk forward|analyse walk forward',
    means:
      'Un test walk-forward choisit les règles sur un morceau du passé et les teste sur le suivant, encore et encore.',
  },
  look_ahead: {
    called: "look ahead|look-ahead|lookahead|look ahead bias|biais d'anticipation|repainting",
    means:
      "Le look-ahead, c'est une règle qui utilise des valeurs pas encore connues à ce moment. Il rend un backtest plus beau que ne le serait le trading.",
  },
  parameter_sweep: {
    called: 'sweep|balayage|optimisation|balayage de parametres',
    means:
      "Un balayage teste les mêmes règles avec beaucoup de valeurs de leurs paramètres. Le meilleur d'un grand nombre a aussi de la chance, je le juge donc comme le meilleur d'autant d'essais.",
  },
  luck: {
    called: 'significativite|significativite statistique|valeur p|p-value|chance|hasard',
    means:
      "À quelle fréquence la chance seule fait aussi bien : pour autant d'essais de règles sans avantage, la part dont le meilleur est aussi bon que le tien.",
  },
  paper_trading: {
    called: 'paper trading|compte papier|compte demo|paper account',
    means: "Le paper trading suit les nouveaux prix à mesure qu'ils arrivent, avec des règles mais sans argent.",
  },
  warm_up: {
    called: 'warm up|warm-up|periode de chauffe|chauffe|lookback',
    means:
      "La période de chauffe, ce sont les premières bougies, pour lesquelles un indicateur n'a pas assez de passé ; aucune règle n'y est vraie.",
  },
  moving_average: {
    called: 'moyenne mobile|moyennes mobiles|moyenne|sma|ma|mm|moyenne mobile simple',
    means:
      'Une moyenne mobile est la moyenne des dernières clôtures, par exemple 50. Elle lisse le prix et le suit avec retard.',
  },
  ema: {
    called: 'ema|emas|mme|moyenne mobile exponentielle|moyenne exponentielle',
    means:
      "Une EMA est une moyenne mobile qui donne plus de poids aux clôtures récentes ; elle suit le prix plus vite qu'une moyenne simple.",
  },
  golden_cross: {
    called: 'golden cross|croix doree|croisement dore',
    means:
      "Une croix dorée est le moment où une moyenne rapide, souvent de 50 bougies, passe au-dessus d'une lente, souvent de 200. La croix de la mort est l'inverse.",
  },
  crossover: {
    called: 'croisement|croisements|crossover|croisement de moyennes',
    means: "Un croisement est la bougie où une ligne passe l'autre, comme une moyenne rapide au-dessus d'une lente.",
  },
  rsi: {
    called: 'rsi|indice de force relative',
    means:
      'Le RSI compare les hausses récentes aux baisses récentes sur une échelle de 0 à 100. Sous 30 on dit survendu, au-dessus de 70 suracheté.',
  },
  macd: {
    called: 'macd',
    means:
      'Le MACD est une moyenne rapide du prix moins une lente. On le compare à sa propre moyenne, la ligne de signal : un croisement au-dessus est dit haussier.',
  },
  bollinger: {
    called: 'bollinger|bandes de bollinger|bande de bollinger',
    means:
      "Les bandes de Bollinger sont deux écarts-types au-dessus et en dessous d'une moyenne mobile : larges quand le prix bouge beaucoup, étroites quand il se repose.",
  },
  atr: {
    called: 'atr|average true range',
    means:
      "L'ATR est le mouvement habituel du prix dans une bougie. Les stops qui le suivent sont plus larges dans un marché agité.",
  },
  adx: {
    called: 'adx',
    means:
      "L'ADX dit la force d'une tendance, de 0 à 100, à la hausse comme à la baisse. Au-dessus de 25, on la dit forte.",
  },
  stochastic: {
    called: 'stochastique|stochastic',
    means:
      'Le stochastique dit où se trouve la clôture entre le plus bas et le plus haut des dernières bougies, de 0 à 100.',
  },
  cci: {
    called: 'cci',
    means:
      "Le CCI dit à quelle distance de sa moyenne est le prix, mesurée à sa distance habituelle. Au-delà de 100 ou -100, c'est loin.",
  },
  supertrend: {
    called: 'supertrend|super trend',
    means:
      "Le Supertrend est une ligne qui suit le prix à un multiple de l'ATR et change de côté quand le prix la croise.",
  },
  donchian: {
    called: 'cassure donchian|cassure de donchian|donchian|canal de donchian|canaux de donchian',
    means:
      'Un canal de Donchian est le plus haut et le plus bas des dernières bougies, par exemple 20. Une clôture au-dessus est une cassure.',
  },
  keltner: {
    called: 'keltner|canal de keltner|canaux de keltner',
    means: "Les canaux de Keltner sont à un multiple de l'ATR au-dessus et en dessous d'une moyenne mobile.",
  },
  oversold: {
    called: 'survendu|surachete|survente|surachat|oversold|overbought',
    means:
      "Survendu veut dire que le prix a baissé vite et loin selon un indicateur comme le RSI ; suracheté, la même chose vers le haut. Aucun des deux ne dit qu'il doit se retourner.",
  },
  trend: {
    called: 'tendance|tendances|suivi de tendance|tendance haussiere|tendance baissiere',
    means:
      "Une tendance est un mouvement des prix dans une direction pendant un temps. La suivre, c'est acheter ce qui monte et arrêter quand cela finit.",
  },
  mean_reversion: {
    called: 'retour a la moyenne|mean reversion|replis|acheter les creux',
    means: "Le retour à la moyenne parie qu'un prix tombé loin sous sa moyenne y revient : il achète les replis.",
  },
  breakout: {
    called: 'cassure|cassures|breakout',
    means:
      'Une cassure est quand le prix sort de la zone où il était, comme une clôture au-dessus du plus haut des 20 dernières bougies.',
  },
  momentum: {
    called: 'momentum|elan',
    means:
      'Le momentum est la vitesse à laquelle le prix va dans un sens. Ses règles achètent ce qui a monté vite, parce que cela continue souvent un moment.',
  },
  volatility: {
    called: 'volatilite|volatil',
    means: "La volatilité est l'ampleur des hauts et des bas du prix, quelle que soit sa direction.",
  },
  volume: {
    called: 'volume|volumes',
    means: "Le volume est la quantité d'un actif échangée dans une bougie.",
  },
  liquidity: {
    called: 'liquidite|liquide|illiquide',
    means:
      "La liquidité est ce qu'on peut acheter ou vendre sans faire bouger le prix. Là où elle manque, le slippage est grand.",
  },
  bull_bear: {
    called: 'haussier|baissier|marche haussier|marche baissier|bullish|bearish',
    means: "Haussier veut dire qu'on attend une hausse des prix, baissier une baisse.",
  },
};
