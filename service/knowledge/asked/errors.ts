import type { Asked } from './asked.js';

export const askedOfErrors: Asked = {
  MISSING_FIELD: `required field missing; forgot a parameter; incomplete request; 400; field is required`,
  VALIDATION_ERROR: `
    value not accepted; invalid value; wrong type; out of range; 400 bad request; malformed body; json rejected`,
  INVALID_FIELD: `invalid field; value refused; 400; wrong field`,
  BYTES_LIMIT_EXCEEDED: `query too large; reads too many bytes; 400; narrow the query; scan limit`,
  AUTH_REQUIRED: `
    401; unauthorized; not logged in; token expired; invalid api key; login does not work; key revoked; missing
    authorization header; session ended; wrong token`,
  PAYMENT_REQUIRED: `402; must pay; payment not accepted; call costs money; payment rejected`,
  INSUFFICIENT_PERMISSIONS: `
    403; key lacks a scope; not allowed with this key; missing permission; access denied; read-only key`,
  PERMISSION_DENIED: `
    403; forbidden; needs a login session; management key needed; only admins; not an owner; api key cannot do this`,
  TIER_UPGRADE_REQUIRED: `
    403; not in my plan; upgrade the subscription; plan does not include it; too many strategies stored; pro only`,
  RESOURCE_NOT_FOUND: `404; not found; unknown id; does not exist; belongs to someone else; wrong url; deleted`,
  CONFLICT: `
    409; already exists; duplicate; name taken; same request in progress; idempotency key reused; concurrent change`,
  INVALID_STATE: `
    409; cannot pause a finished experiment; wrong state; not allowed now; already finished; already cancelled`,
  PAYLOAD_TOO_LARGE: `413; request too big; body too large; upload limit; 4 MB; split the request; message size`,
  RATE_LIMITED: `429; too many requests; throttled; slow down; calls per minute; retry later; being blocked`,
  USAGE_LIMIT_EXCEEDED: `429; monthly limit reached; quota used up; no calls left this month; when does it reset`,
  quota_exceeded: `429; monthly quota of paid data reads; defi quota used; metered service limit`,
  CONCURRENT_SWEEP_LIMIT: `429; too many experiments at once; cannot launch another experiment; parallel sweeps limit`,
  INTERNAL_ERROR: `
    500; server error; something went wrong; bug; crash; provider failed; unexpected error; internal failure`,
  ENGINE_BUSY: `
    503; service unavailable; busy; overloaded; queue full; no free slot; database down; try again later; retry`,
  METHOD_NOT_ALLOWED: `405; get instead of post; wrong http method; verb not allowed`,
  INVALID_STRATEGY: `
    strategy cannot be run; bad strategy file; malformed definition; my strategy is rejected; broken json`,
  INVALID_DATA: `
    bad candle; high below low; negative price; corrupt data; data refused; impossible values; file rejected`,
  NOT_FOUND: `
    unknown asset; no data for this coin; symbol not available; asset without bars; unknown name; pair missing`,
  EMPTY_WINDOW: `no data in this date range; dates outside of the data; no bars between start and end; empty period`,
};
