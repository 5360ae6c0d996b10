/**
 * Words that may stand in a phrase about signals without being a part of a name. None of them
 * names an indicator. Any form of a word counts; lists are separated by blanks.
 */
export const ordinaryWords: readonly string[] = [
  // Signals and strategies
  'signal trigger filter indicator strategy pattern oscillator rule system method idea setup approach candidate',
  'registry entry exit stop target trade trading trader position risk reward return drawdown backtest run test figure',
  'result parameter window period threshold level bar candle chart timeframe asset coin market price long short term',
  'date month year week day hour minute time number share account metric ratio rate count combination variant version',
  'proposal choice reason condition event documentation glossary library platform service name word term section',
  // What is said of them
  'good better best bad worse worst great right wrong true false new old first second third fourth last next same',
  'different similar other usual common popular classic famous simple plain clear basic main key own single double',
  'early earlier late later fast faster slow slower quick strict stricter loose strong stronger strongest weak weaker weakest high low large small big',
  'wide narrow tight long longer short shorter deep calm steady robust noisy solid safe cautious aggressive careful',
  'natural obvious typical standard sensible decent promising interesting classical proven modern usable recommended',
  'supporting lagging broad mixed quiet choppy sideways possible available suitable proposed chosen tested stored existing missing additional extra final current previous',
  'original general specific certain separate several many much enough full whole half real stated following given',
  'opposite bullish bearish neutral positive negative losing winning rising falling selected combined well known',
  // What is done with them
  'propose use add search find suggest name prefer want need choose pick test combine vary replace change generate give',
  'produce send fire ignore avoid confirm buy sell hold enter exit open close look see show list keep save try take make',
  'get work fit suit match read write compare check run start stop say tell ask understand explain mean know think put',
  'come go let help call offer follow require wait watch measure drop raise lower set stay remain time yes sorry please',
  'thanks hello note overall summary however therefore finally together still yet again maybe perhaps once after before',
  'during since until though although instead despite given against compared above below under over within across',
  'about how why whether whatever let out off up down too very just even nearly almost around quite rather far further',
];

/** Names that an answer may say of things other than signals. */
export const properNames: readonly string[] = [
  'sharpe barline bitcoin ethereum solana dogecoin chainlink uniswap btc eth sol doge link uni usd usdt crypto english',
  'january february march april may june july august september october november december',
  'monday tuesday wednesday thursday friday saturday sunday buy hold walk forward api post utc ok i',
];
