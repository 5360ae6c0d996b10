import { type EngineCode, engineCodes } from '../../engine/errors.js';
import { type ApiCode, apiCodes } from '../api-error.js';
import { code, type Entry, facts } from './page.js';

/** How a code is answered over REST. */
export interface HttpError {
  readonly status: number;
  readonly error: string;
}

interface Explained {
  readonly meaning: string;
  readonly remedy: string;
}

const explained: Readonly<Record<ApiCode | EngineCode | 'METHOD_NOT_ALLOWED', Explained>> = {
  MISSING_FIELD: {
    meaning: 'The request lacks a field that it needs.',
    remedy: 'Send the fields that the message names. Null counts as missing.',
  },
  VALIDATION_ERROR: {
    meaning: 'A field has a value that is not accepted.',
    remedy: 'The message names the field, its bound and the value.',
  },
  INVALID_FIELD: {
    meaning: 'A field has a value that is not accepted. Some services use this code in place of VALIDATION_ERROR.',
    remedy: 'The message names the field, its bound and the value.',
  },
  BYTES_LIMIT_EXCEEDED: {
    meaning: 'A data query would read more bytes than it may.',
    remedy: 'Ask for fewer columns, a shorter range or an experiment, or raise BARLINE_QUERY_BYTES_MAX.',
  },
  AUTH_REQUIRED: {
    meaning: 'The call has no credential, or one that is not valid: unknown, revoked, expired or malformed.',
    remedy:
      'Send `Authorization: Bearer` and an API key (`barline key` makes one) or an access token that is still valid.',
  },
  PAYMENT_REQUIRED: {
    meaning: 'The call has no credential and must be paid, or its payment was not accepted.',
    remedy: 'Sign one of the payments in the answer, or send a credential ([payments](../payments.md)).',
  },
  INSUFFICIENT_PERMISSIONS: {
    meaning: 'The credential is valid but lacks the scope that the message names.',
    remedy: 'Use a key that has the scope, or make one.',
  },
  PERMISSION_DENIED: {
    meaning: 'The caller may not do this: it needs a login session, the management key, or a role in the organization.',
    remedy: 'Log in, or ask an owner of the organization.',
  },
  TIER_UPGRADE_REQUIRED: {
    meaning: 'The tier of the organization does not include this, or its number of strategies is reached.',
    remedy: 'Delete strategies, change the tier or redeem a promo code.',
  },
  RESOURCE_NOT_FOUND: {
    meaning: 'Nothing of this id or name exists, or it belongs to someone else.',
    remedy: 'Check the id. The answer is the same in both cases.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The endpoint exists, but not with this HTTP method.',
    remedy: 'The header `Allow` lists its methods.',
  },
  CONFLICT: {
    meaning: 'The call conflicts with another one, or with what is stored already.',
    remedy: 'Read the present state and decide again. An idempotency key must keep its request.',
  },
  INVALID_STATE: {
    meaning: 'The thing is in a state that does not allow this, such as a finished experiment that is paused.',
    remedy: 'Read its status first.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body or the message is larger than the service takes.',
    remedy: 'Send less at once.',
  },
  RATE_LIMITED: {
    meaning: 'Too many requests of this key or address within a minute, or too many open streams.',
    remedy:
      'Wait as long as `Retry-After` says, or close a stream. BARLINE_RATE_LIMIT_PER_MINUTE and BARLINE_STREAMS_PER_CREDENTIAL set the limits.',
  },
  USAGE_LIMIT_EXCEEDED: {
    meaning: 'The monthly limit of the tier is reached.',
    remedy: 'Wait until the time in `resets_at`, or change the tier. `/usage` shows the counters.',
  },
  quota_exceeded: {
    meaning: 'The monthly quota of a metered service is reached.',
    remedy: 'Wait until the time in `resets_at`, or change the tier. `/usage` shows the counters.',
  },
  CONCURRENT_SWEEP_LIMIT: {
    meaning: 'The organization has as many running experiments as its tier allows.',
    remedy: 'Wait for one to end, or cancel one.',
  },
  INTERNAL_ERROR: {
    meaning: 'The service or a provider of data failed.',
    remedy: 'Try again; the log of the service has the cause under the correlation id.',
  },
  ENGINE_BUSY: {
    meaning:
      'The service cannot take the call now: all slots or places in the queue are taken, or it is not reachable.',
    remedy: 'Wait as long as `Retry-After` says, or submit the run in place of waiting for it.',
  },
  INVALID_STRATEGY: {
    meaning: 'A strategy cannot be run as it is written.',
    remedy: 'The message names the rule.',
  },
  INVALID_DATA: {
    meaning: 'Bars or columns have a value that cannot be right.',
    remedy: 'The message names the row and the column; `barline data check` reads stored bars again.',
  },
  EMPTY_WINDOW: {
    meaning: 'No bars lie within the dates of the run.',
    remedy: '`barline data list` shows from when to when bars are stored.',
  },
  NOT_FOUND: {
    meaning: 'A name in the request is not known, such as an asset without bars.',
    remedy: 'The message has the nearest known name.',
  },
};

const names = [...new Set([...apiCodes, 'METHOD_NOT_ALLOWED', ...engineCodes])] as (keyof typeof explained)[];

/** Every code that callers of the service, the command line and the library can meet. */
export const errorEntries = (rows: Readonly<Record<string, HttpError>>): readonly Entry[] =>
  names.map((name) => {
    const row = rows[name];
    return {
      ...{ kind: 'error', name, title: name, file: 'errors.md' },
      summary: explained[name].meaning,
      parts: [
        { title: 'What to do', text: explained[name].remedy },
        {
          title: 'Facts',
          text: facts({
            'HTTP status': row === undefined ? null : String(row.status),
            '`error` of the body': row === undefined ? null : code(row.error),
            where: row === undefined ? 'the library and the command line' : null,
          }),
        },
      ],
      tags: ['error'],
      words: `${name.toLowerCase().replaceAll('_', ' ')} ${row?.status ?? ''} ${row?.error ?? ''}`,
    };
  });
