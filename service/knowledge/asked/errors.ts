import type { Asked } from './asked.js';

export const askedOfErrors: Asked = {
  MISSING_FIELD: `
    required field missing; forgot a parameter; incomplete request; 400; field is required; I left something out;
    which field do I need; field required but absent`,
  VALIDATION_ERROR: `
    value not accepted; invalid value; wrong type; out of range; 400 bad request; malformed body; json rejected; what
    is 422; number too large; not a valid date; wrong value in my request; rejected input`,
  INVALID_FIELD: `invalid field; value refused; 400; wrong field`,
  BYTES_LIMIT_EXCEEDED: `query too large; reads too many bytes; 400; narrow the query; scan limit`,
  AUTH_REQUIRED: `
    401; unauthorized; not logged in; token expired; invalid api key; login does not work; key revoked; missing
    authorization header; session ended; wrong token; my key does not work; who are you; not authenticated; signed
    out; credential refused`,
  PAYMENT_REQUIRED: `
    402; must pay; payment not accepted; call costs money; payment rejected; why do I have to pay; asks me for money`,
  INSUFFICIENT_PERMISSIONS: `
    403; key lacks a scope; not allowed with this key; missing permission; access denied; read-only key; my key gets
    403; key may only read; need more rights`,
  PERMISSION_DENIED: `
    403; forbidden; needs a login session; management key needed; only admins; not an owner; api key cannot do this;
    my key gets 403; only for admins; not for keys`,
  TIER_UPGRADE_REQUIRED: `
    403; not in my plan; upgrade the subscription; plan does not include it; too many strategies stored; pro only; my
    plan isn't enough; need a better plan; feature is not included; upgrade needed; hit the number of strategies`,
  RESOURCE_NOT_FOUND: `
    404; not found; unknown id; does not exist; belongs to someone else; wrong url; deleted; item was deleted; id is
    gone; cannot find my backtest; belongs to another user`,
  CONFLICT: `
    409; already exists; duplicate; name taken; same request in progress; idempotency key reused; concurrent change;
    request got 409; already running; exists already; two at the same time; same name`,
  INVALID_STATE: `
    409; cannot pause a finished experiment; wrong state; not allowed now; already finished; already cancelled;
    already finished; cannot cancel any more; too late to change; not in the right state; already launched`,
  PAYLOAD_TOO_LARGE: `
    413; request too big; body too large; upload limit; 4 MB; split the request; message size; json too big; too much
    data in one request; file too large to post`,
  RATE_LIMITED: `
    429; too many requests; throttled; slow down; calls per minute; retry later; being blocked; sending too fast; how
    long must I wait; blocked for a minute; too many calls`,
  USAGE_LIMIT_EXCEEDED: `
    429; monthly limit reached; quota used up; no calls left this month; when does it reset; no more runs this month;
    used everything up; until the first of the month`,
  quota_exceeded: `429; monthly quota of paid data reads; defi quota used; metered service limit`,
  CONCURRENT_SWEEP_LIMIT: `
    429; too many experiments at once; cannot launch another experiment; parallel sweeps limit; too many sweeps;
    another experiment is still running; only so many at once`,
  INTERNAL_ERROR: `
    500; server error; something went wrong; bug; crash; provider failed; unexpected error; internal failure; the
    server broke; is it my fault; unexpected failure; report a bug`,
  ENGINE_BUSY: `
    503; service unavailable; busy; overloaded; queue full; no free slot; database down; try again later; retry; queue
    is full; too much going on; come back later; no slot`,
  METHOD_NOT_ALLOWED: `
    405; get instead of post; wrong http method; verb not allowed; used post where get is right; wrong verb`,
  INVALID_STRATEGY: `
    strategy cannot be run; bad strategy file; malformed definition; my strategy is rejected; broken json; my json is
    wrong; strategy has no trigger; what is wrong with my strategy`,
  INVALID_DATA: `
    bad candle; high below low; negative price; corrupt data; data refused; impossible values; file rejected; high is
    lower than low; price is zero or negative; rows make no sense; broken candle; not a number in my file`,
  NOT_FOUND: `
    unknown asset; no data for this coin; symbol not available; asset without bars; unknown name; pair missing; coin
    isn't known; asset has no candles; typo in the symbol; no such asset`,
  EMPTY_WINDOW: `
    no data in this date range; dates outside of the data; no bars between start and end; empty period; there's no
    price data for that date; start after the end of the data; wrong dates; nothing between these days`,
};
