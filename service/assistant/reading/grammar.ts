/**
 * What a sentence may say, in the notation of Ohm. A word in quotes is a whole word. Names of
 * assets, signals, indicators, parameters, settings and questions come from their own tables.
 * `docs/assistant.md` shows this text.
 */
export const grammar = String.raw`
Barline {
  Sentence  = Part ("," Part)* end
  Part      = Joint* Clause (Joint* Clause)* &("," | end)  -- read
            | unread                                      -- unread
  Joint     = "and" | "then" | "with" | "please" | "now" | "use" | "set" | "try"
  Clause    = Trade | Only | Level | Amount | Window | Style | Count | Edit | Setting | Place | Talk

  Trade     = Verb Place? ("when" | "if" | ":") Rules
  Verb      = "buy back" | "cover" | "exit shorts" | "sell short" | "go short" | "short"
            | "buy" | "go long" | "long" | "entry" | "sell" | "exit longs" | "exit"
  Only      = ("only buy" | "buy only" | "only short" | "short only" | "add" | "only") ("when" | "if")? Rules
  Rules     = Condition ("and" Condition)+  -- all
            | Condition ("or" Condition)+   -- any
            | Condition                     -- one
  Condition = Value ("is" | "are")? Sign Value                                   -- compared
            | Value ("crosses" | "cross") ("above" | "over") Value               -- over
            | Value ("crosses" | "cross") ("below" | "under") Value              -- under
            | ("crosses_above" | "crosses_below") "(" Value "," Value ")"        -- call
            | signal ("(" ListOf<Param, ","> ")")?                               -- signal
            | formula
  Sign      = ">=" | "<=" | ">" | "<" | "above" | "over" | "below" | "under" | "at least" | "at most"
  Value     = Value ("+" | "-") Term     -- sum
            | Term
  Term      = Term ("*" | "/") Factor    -- product
            | Factor
  Factor    = "the"? count ("bar" | "period")? indicator                         -- before
            | "the"? indicator "(" ListOf<Value, ","> ")" Shift?                 -- called
            | "the"? indicator count                                             -- after
            | "the"? indicator Shift?                                            -- bare
            | "the"? column Shift?                                               -- column
            | "it"                                                               -- it
            | number ~"%"                                                        -- number
            | "(" Value ")"                                                      -- group
  Shift     = "[" count "]"
  Param     = param "="? (plain | word)

  Level     = ("a" | "the")? "trailing stop" ("of" | "at" | "to")? Distance ("from" "a gain of" Percent)?  -- trail
            | ("a" | "the")? "stop" "loss"? ("of" | "at" | "to")? Distance             -- stop
            | ("a" | "the")? ("target" | "take profit") ("of" | "at" | "to")? Target   -- target
            | ("no" | "without a" | "without") ("stop loss" | "stop" | "target" | "take profit")  -- none
            | ("limit" | "stop") "entry" ("of" | "at")? Distance ("for" count "bars")?           -- entry
            | "break even at" plain "r"                                                          -- even
  Distance  = Percent -- share
            | plain "atr" -- atr
  Target    = Percent -- share
            | plain "r" -- risk
  Percent   = plain ("%" | "percent" | "bps")
  Amount    = "risk" Percent ("a trade" | "per trade")?                                -- risk
            | ("fees" | "fee" | "commission") ("of")? Percent ("a fill" | "per side")? -- fee
            | "slippage" ("of")? Percent ("a fill" | "per side")?                      -- slippage
            | ("no" | "without") ("fees" | "fee" | "slippage" | "costs")               -- free
            | ("account" | "balance" | "capital") ("of")? "$"? number                  -- account
            | "size" Percent ("of the account")?                                       -- size
            | "leverage" plain "x"?                                                    -- leverage
            | plain "x" "leverage"                                                     -- times
            | "hold at most" count "bars"                                              -- hold
  Window    = "from"? Day ("to" | "until") Day                                         -- both
            | "between" Day "and" Day                                                  -- between
            | ("since" | "from" | "start in") Day                                      -- since
            | "after" Day                                                              -- after
            | ("until" | "to") Day                                                     -- until
            | "before" Day                                                             -- before
            | ("only" | "in") Day                                                      -- in
            | ("over" | "for")? "the"? "last" count ("months" | "month" | "years" | "year")  -- last
            | "all" ("bars" | "data" | "history")                                      -- all
  Style     = ("follow" | "trade" | "buy" | "try")? asset? "the"? ("trend following" | "trend"
            | "mean reversion" | "dips" | "breakouts" | "breakout" | "momentum" | "flows")
  Count     = (count | "one") ("candidates" | "candidate")
  Edit      = ("remove" | "drop" | "delete" | "without") "the"? (signal | indicator) Kind?   -- remove
            | ("remove" | "drop" | "without") asset                                          -- less
            | "add" asset                                                                    -- more
            | ("no" | "remove the") ("sell" | "cover" | "short") Kind                        -- role
            | "the"? (signal | indicator)? param ("to" | "=")? plain                         -- number
  Kind      = "filter" | "rules" | "rule" | "condition" | "signal" | "side"
  Setting   = setting ("to" | "=")? (plain | word)
  Place     = ("on" | "for" | "of" | "over" | "buy")? Assets (("on the" | "on")? Bars)?  -- assets
            | ("on" | "over")? "the"? Bars                                 -- bars
  Assets    = asset (("," | "and") asset)*
  Bars      = interval ("bars" | "candles" | "chart")?
  interval  = "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "hourly" | "daily"
  Talk      = ("go on" | "yes" | "ok" | "okay" | "agreed" | "continue" | "next")       -- agree
            | ("run it again" | "run it" | "run again" | "run" | "test it")            -- run
            | ("no" | "wait" | "stop" | "cancel" | "not yet")                          -- decline
            | ("drop it" | "forget it" | "leave it out" | "never mind")                -- drop
            | "you choose" ("the rest")?                                               -- choose
            | "the"? ("first" | "second") ("one")?                                     -- pick
            | "undo" ("that" | "it")?                                                  -- undo
            | "start over"                                                             -- over
            | ("hello" | "hi" | "hey" | "thanks" | "thank you")                        -- greet

  Asked     = Lead topic "?"? end                                          -- topic
            | "what" ("is" | "does" | "are") ("a" | "an" | "the")? term "mean"? "?"? end  -- term
  Lead      = (~(topic "?"? end) lead)*
  lead      = "and" | "so" | "please" | "show" | "tell me" | "what" | "how" | "is" | "are" | "was" | "were" | "did"
            | "many" | "much" | "big" | "high" | "large" | "the" | "a" | "its" | "my" | "it" | "me"
  term      = (~("?" | " mean") any)+

  Day       = day | monthly | year
  monthly   = month " " year
  day       = digit digit digit digit "-" digit digit "-" digit digit
  year      = ("19" | "20") digit digit ~digit
  month     = "january" | "february" | "march" | "april" | "may" | "june" | "july" | "august"
            | "september" | "october" | "november" | "december"
  column    = "price" | "close" | "open" | "high" | "low" | "volume"
  number    = grouped | plain
  grouped   = digit digit? digit? ("," digit digit digit)+ ~digit
  plain     = "-"? digit+ ("." digit+)? "k"?
  count     = digit+ ~("." digit) ~wordish
  formula   = "${'`'}" (~"${'`'}" any)+ "${'`'}"
  word      = letter wordish*
  wordish   = letter | digit | "_"
  unread    = (~"," (formula | bracketed | thousands | any))*
  thousands = digit ("," digit)+
  bracketed = "(" (~("(" | ")") any)* ")"
  space    := " " | "\t"
}
`;

/** Rules of the grammar that are names of other tables. */
export const nameRules = ['asset', 'indicator', 'signal', 'param', 'setting', 'topic'] as const;
