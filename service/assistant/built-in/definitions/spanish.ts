import type { DefinitionTable } from './table.js';

export const spanish: DefinitionTable = {
  backtest: {
    called: 'backtest|backtests|backtesting|prueba historica',
    means:
      'Un backtest aplica reglas de trading a precios pasados, vela por vela, y muestra lo que habrían ganado después de costes. Habla del pasado; el futuro puede ser distinto.',
  },
  candle: {
    called: 'vela|velas|candle|barra|barras|vela japonesa|velas japonesas',
    means:
      'Una vela tiene los precios de un intervalo: apertura, máximo, mínimo y cierre, con el volumen negociado. En un gráfico de 4h cada vela cubre cuatro horas.',
  },
  timeframe: {
    called: 'marco temporal|timeframe|temporalidad|intervalo|grafico diario',
    means:
      'El marco temporal es cuánto tiempo cubre una vela, como 1h, 4h o 1d. Las reglas se miran una vez por vela, cuando cierra.',
  },
  asset: {
    called: 'activo|activos|moneda|criptomoneda|simbolo|par',
    means: 'Un activo es lo que se negocia, como BTC o ETH, aquí con precios en dólares.',
  },
  long: {
    called: 'largo|en largo|ir largo|ponerse largo|long|posicion larga',
    means: 'Largo significa comprar primero y vender después: ganas si el precio sube y pierdes si baja.',
  },
  short: {
    called: 'corto|en corto|ponerse corto|ir corto|short|posicion corta|venta en corto|vender en corto',
    means:
      'En corto significa vender primero algo prestado y recomprarlo después: ganas si el precio baja, y si sube puedes perder más de lo que pusiste.',
  },
  position: {
    called: 'posicion|posiciones|posicion abierta',
    means: 'Una posición es lo que tienes entre una entrada y su salida.',
  },
  trade: {
    called: 'operacion|operaciones|trade|trades',
    means: 'Una operación es una entrada con su salida, con la ganancia o pérdida entre las dos después de costes.',
  },
  entry: {
    called: 'entrada|entradas|regla de entrada|senal de entrada',
    means: 'La entrada es el momento en que se abre una posición: el disparador se cumple y todos los filtros también.',
  },
  exit: {
    called: 'salida|salidas|regla de salida|senal de salida',
    means:
      'La salida es el momento en que se cierra una posición: por una regla, el stop, el objetivo o el final de los datos.',
  },
  stop: {
    called: 'stop|stop loss|stop-loss|stoploss|parada|limite de perdidas|sl',
    means:
      'Un stop-loss es un precio al que se cierra una posición con pérdida, para que una operación no pierda más de lo previsto. «Stop 3 %» cierra una posición larga un 3 % por debajo de la entrada; un salto del precio puede llevarlo más abajo.',
  },
  trailing_stop: {
    called: 'trailing stop|trailing|stop movil|stop dinamico|stop de arrastre',
    means: 'Un stop móvil sigue al precio mientras va a tu favor y se queda donde está cuando se gira.',
  },
  target: {
    called: 'objetivo|objetivos|take profit|take-profit|target|tp|toma de beneficios',
    means:
      'Un objetivo, o take profit, es un precio al que se cierra una posición con ganancia. Aquí es un múltiplo de la distancia al stop: con un stop del 3 % y dos veces el riesgo está un 6 % por encima de la entrada.',
  },
  reward_factor: {
    called: 'r|1r|2r|3r|ratio riesgo beneficio|riesgo beneficio|riesgo/beneficio|risk reward|multiplo r',
    means:
      'R es lo que arriesga una operación, de su entrada a su stop. Un objetivo de 2R está el doble de lejos de la entrada que el stop.',
  },
  drawdown: {
    called: 'drawdown|caida maxima|maximo drawdown|drawdown maximo|drawdowns',
    means:
      'Un drawdown es cuánto cayó la cuenta desde su valor más alto hasta el mínimo siguiente, como parte de ese máximo. El mayor dice cuánto habrías tenido que aguantar.',
  },
  sharpe: {
    called: 'sharpe|ratio de sharpe|ratio sharpe|indice de sharpe|sharpe ratio',
    means:
      'El ratio de Sharpe es el rendimiento medio dividido por cuánto varía, en un año: más ganancia con menos subidas y bajadas lo hace mayor. Cerca de 1 es decente en muchos años; uno alto con pocas operaciones puede ser suerte.',
  },
  sortino: {
    called: 'sortino|ratio de sortino|ratio sortino',
    means: 'El ratio de Sortino es un ratio de Sharpe que solo cuenta las caídas como riesgo.',
  },
  return: {
    called: 'rendimiento|rentabilidad|retorno|return',
    means: 'El rendimiento es lo que la cuenta ganó o perdió respecto a lo que tenía al empezar, después de costes.',
  },
  win_rate: {
    called: 'porcentaje de aciertos|tasa de aciertos|aciertos|win rate|winrate',
    means:
      'La tasa de aciertos es la parte de las operaciones que ganó dinero. Sola dice poco: muchas ganancias pequeñas y pocas pérdidas grandes pueden perder.',
  },
  profit_factor: {
    called: 'profit factor|factor de beneficio|factor de ganancia',
    means:
      'El factor de beneficio es la suma de las ganancias dividida por la de las pérdidas: por encima de 1 las operaciones ganaron dinero.',
  },
  streak: {
    called: 'racha|racha perdedora|racha de perdidas',
    means: 'Una racha perdedora es una fila de operaciones con pérdida sin una ganancia entre ellas.',
  },
  fee: {
    called: 'comision|comisiones|tarifa|costes|costos|fee|fees',
    means:
      'Una comisión es lo que cobra el exchange en cada ejecución, así que una operación la paga dos veces: al comprar y al vender.',
  },
  slippage: {
    called: 'slippage|deslizamiento',
    means:
      'El deslizamiento (slippage) es la diferencia entre el precio que esperas y el que consigues, porque el mercado se mueve o hay poca oferta. Es un coste de cada ejecución.',
  },
  spread: {
    called: 'spread|horquilla|diferencial',
    means: 'El spread es la distancia entre el mejor precio de compra y el mejor de venta; cruzarlo es un coste.',
  },
  basis_point: {
    called: 'punto basico|puntos basicos|bp|bps',
    means: 'Un punto básico es una centésima de un uno por ciento: 10 puntos básicos son el 0,1 %.',
  },
  leverage: {
    called: 'apalancamiento|apalancado|leverage|margen|margin',
    means:
      'El apalancamiento es operar con más de lo que tienes, con dinero prestado: con 3x las ganancias y las pérdidas son el triple, y una caída de un tercio puede llevárselo todo.',
  },
  liquidation: {
    called: 'liquidacion|liquidado|margin call',
    means:
      'Una liquidación es cuando el exchange cierra una posición apalancada porque sus pérdidas han agotado el margen.',
  },
  funding: {
    called: 'funding|funding rate|tasa de financiacion|financiacion',
    means:
      'El funding es lo que se pagan entre sí cada pocas horas quienes tienen futuros perpetuos, para que su precio siga cerca del contado.',
  },
  trigger: {
    called: 'disparador|disparadores|trigger|gatillo',
    means:
      'Un disparador (trigger) es el suceso que abre una operación, cierto en la vela en que algo pasa, como un cruce de medias.',
  },
  filter: {
    called: 'filtro|filtros|filter',
    means:
      'Un filtro es un estado que debe cumplirse en la vela del disparador, como «el cierre está sobre su media de 200 días». Deja pasar menos operaciones.',
  },
  signal: {
    called: 'senal|senales|senal de trading',
    means:
      'Una señal es una condición con nombre que es cierta o falsa en cada vela, como «el RSI cruza por encima de 30».',
  },
  indicator: {
    called: 'indicador|indicadores|oscilador|indicador tecnico',
    means:
      'Un indicador es un número calculado con precios o volúmenes pasados, uno por vela, como una media móvil o el RSI.',
  },
  strategy: {
    called: 'estrategia|estrategia de trading|estrategias',
    means:
      'Una estrategia es un conjunto de reglas: cuándo comprar y vender, dónde están el stop y el objetivo, y cuánto arriesgar.',
  },
  candidate: {
    called: 'candidato|candidatos',
    means: 'Un candidato es un conjunto completo de reglas que he hecho con tu idea, listo para probarse.',
  },
  position_size: {
    called: 'tamano de posicion|tamano de la posicion|position size|dimensionamiento',
    means:
      'El tamaño de la posición es cuánto compra una operación. Aquí sale del riesgo: la cuenta por el riesgo por operación, entre la distancia al stop, y nunca más que la cuenta.',
  },
  risk: {
    called: 'riesgo|riesgo por operacion|gestion de riesgo|gestion del riesgo',
    means:
      'El riesgo por operación es la parte de la cuenta que puede perder una operación si llega a su stop. Con un 1 % de 10.000 son 100, antes de costes y saltos.',
  },
  equity: {
    called: 'equity|curva de capital|valor de la cuenta|patrimonio|curva de equity',
    means:
      'El equity es lo que vale la cuenta en un momento: el efectivo y el valor de lo que tiene. Su línea en el tiempo es la curva de capital.',
  },
  buy_and_hold: {
    called: 'comprar y mantener|buy and hold|mantener|benchmark|hodl',
    means:
      'Comprar y mantener es comprar al principio y guardarlo hasta el final. Una estrategia que gana menos con el mismo riesgo no merecía sus operaciones.',
  },
  overfitting: {
    called: 'overfitting|sobreajuste|sobreoptimizacion|curve fitting',
    means:
      'El sobreajuste es elegir reglas hasta que encajan con el ruido del pasado. En el backtest se ven bien y fallan con datos nuevos; cuantas más variantes pruebas, más probable es.',
  },
  holdout: {
    called: 'holdout|hold-out|fuera de muestra|out of sample|out-of-sample|datos de prueba',
    means:
      'Un holdout es una parte de la historia que se aparta mientras se eligen las reglas, y se usa una vez al final para ver si aguantan con datos que nadie miró.',
  },
  walk_forward: {
    called: 'walk forward|walk-forward|analisis walk forward|prueba walk forward',
    means:
      'Una prueba walk-forward elige las reglas en un tramo del pasado y las prueba en el siguiente, una y otra vez.',
  },
  look_ahead: {
    called: 'look ahead|look-ahead|lookahead|look ahead bias|sesgo de anticipacion|repintado',
    means:
      'El look-ahead es que una regla use valores que en ese momento aún no se conocían. Hace que un backtest parezca mejor de lo que sería operar.',
  },
  parameter_sweep: {
    called: 'sweep|barrido|barrido de parametros|optimizacion',
    means:
      'Un barrido prueba las mismas reglas con muchos valores de sus parámetros. El mejor de muchos tiene también suerte, así que lo juzgo como el mejor de tantos.',
  },
  luck: {
    called: 'significacion|significancia estadistica|significancia|valor p|p valor|suerte',
    means:
      'Con qué frecuencia la suerte sola lo hace tan bien: con otros tantos intentos de reglas sin ventaja, la parte cuyo mejor es tan bueno como el tuyo.',
  },
  paper_trading: {
    called: 'paper trading|cuenta de papel|cuenta demo|paper account|simulacion en vivo',
    means: 'El paper trading sigue precios nuevos según llegan, con reglas pero sin dinero.',
  },
  warm_up: {
    called: 'warm up|warm-up|calentamiento|lookback',
    means:
      'El calentamiento son las primeras velas, para las que un indicador tiene poco pasado y ningún valor; en ellas no se cumple ninguna regla.',
  },
  moving_average: {
    called: 'media movil|medias moviles|media|sma|ma|media movil simple|media simple',
    means:
      'Una media móvil es el promedio de los últimos cierres, por ejemplo de 50. Suaviza el precio y lo sigue con retraso.',
  },
  ema: {
    called: 'ema|emas|media exponencial|media movil exponencial',
    means:
      'Una EMA es una media móvil que da más peso a los cierres recientes, así que sigue al precio más deprisa que una simple.',
  },
  golden_cross: {
    called: 'cruce dorado|golden cross|cruz dorada',
    means:
      'Un cruce dorado es cuando una media rápida, a menudo de 50 velas, sube por encima de una lenta, a menudo de 200. El cruce de la muerte es lo contrario.',
  },
  crossover: {
    called: 'cruce|cruces|crossover|cruce de medias',
    means: 'Un cruce es la vela en que una línea pasa a la otra, como una media rápida por encima de una lenta.',
  },
  rsi: {
    called: 'rsi|indice de fuerza relativa',
    means:
      'El RSI compara las subidas recientes con las bajadas recientes en una escala de 0 a 100. Por debajo de 30 se llama sobrevendido, por encima de 70 sobrecomprado.',
  },
  macd: {
    called: 'macd',
    means:
      'El MACD es una media rápida del precio menos una lenta. Se compara con su propia media, la línea de señal: un cruce por encima se llama alcista.',
  },
  bollinger: {
    called: 'bollinger|bandas de bollinger|banda de bollinger',
    means:
      'Las bandas de Bollinger están dos desviaciones típicas por encima y por debajo de una media móvil: anchas cuando el precio se mueve mucho, estrechas cuando descansa.',
  },
  atr: {
    called: 'atr|rango verdadero medio|average true range',
    means:
      'El ATR, rango verdadero medio, es cuánto se mueve normalmente el precio en una vela. Los stops que lo siguen son más anchos en mercados agitados.',
  },
  adx: {
    called: 'adx',
    means:
      'El ADX dice cuán fuerte es una tendencia, de 0 a 100, hacia arriba o hacia abajo. Por encima de 25 se llama fuerte.',
  },
  stochastic: {
    called: 'estocastico|stochastic',
    means: 'El estocástico dice dónde está el cierre entre el mínimo y el máximo de las últimas velas, de 0 a 100.',
  },
  cci: {
    called: 'cci',
    means:
      'El CCI dice cuán lejos está el precio de su media, medido en su distancia habitual. Más allá de 100 o -100 es lejos.',
  },
  supertrend: {
    called: 'supertrend|super trend',
    means:
      'El Supertrend es una línea que sigue al precio a un múltiplo del ATR y cambia de lado cuando el precio la cruza.',
  },
  donchian: {
    called: 'ruptura donchian|ruptura de donchian|donchian|canal de donchian|canales de donchian',
    means:
      'Un canal de Donchian es el máximo más alto y el mínimo más bajo de las últimas velas, por ejemplo 20. Un cierre por encima es una ruptura.',
  },
  keltner: {
    called: 'keltner|canal de keltner|canales de keltner',
    means: 'Los canales de Keltner están a un múltiplo del ATR por encima y por debajo de una media móvil.',
  },
  oversold: {
    called: 'sobreventa|sobrecompra|sobrevendido|sobrecomprado|oversold|overbought',
    means:
      'Sobrevendido significa que el precio cayó rápido y mucho según un indicador como el RSI; sobrecomprado es lo mismo hacia arriba. Ninguno dice que deba girarse.',
  },
  trend: {
    called: 'tendencia|tendencias|seguimiento de tendencia|tendencia alcista|tendencia bajista',
    means:
      'Una tendencia es un movimiento de precios en una dirección durante un tiempo. Seguir la tendencia compra lo que sube y lo deja cuando eso acaba.',
  },
  mean_reversion: {
    called: 'reversion a la media|mean reversion|retrocesos|comprar caidas',
    means:
      'La reversión a la media apuesta a que un precio que cayó muy por debajo de su media vuelve a ella: compra caídas.',
  },
  breakout: {
    called: 'ruptura|rupturas|breakout|rotura',
    means:
      'Una ruptura es cuando el precio sale del rango en que estaba, como un cierre por encima del máximo de las últimas 20 velas.',
  },
  momentum: {
    called: 'momentum|impulso',
    means:
      'El momentum es lo rápido que el precio va en una dirección. Sus reglas compran lo que ha subido deprisa, porque a menudo sigue un tiempo.',
  },
  volatility: {
    called: 'volatilidad|volatil',
    means: 'La volatilidad es cuánto sube y baja el precio, sea cual sea su dirección.',
  },
  volume: {
    called: 'volumen|volume',
    means: 'El volumen es cuánto de un activo se negoció dentro de una vela.',
  },
  liquidity: {
    called: 'liquidez|liquido|iliquido',
    means:
      'La liquidez es cuánto se puede comprar o vender sin mover el precio. Donde hay poca, el deslizamiento es grande.',
  },
  bull_bear: {
    called: 'alcista|bajista|mercado alcista|mercado bajista|bullish|bearish',
    means: 'Alcista significa que se espera que los precios suban, bajista que bajen.',
  },
};
