import assert from 'node:assert/strict';
import test from 'node:test';
import { type Answer, type Api, asRest, grpcApi, restApi } from './api.js';
import { startTestService, type TestService } from './service.js';

let service: Promise<TestService> | null = null;

test.after(async () => (await service)?.stop());

/** Less than all columns of the bundled bars, more than those of one asset. */
export const QUERY_BYTES_MAX = 16 * 1024 * 1024;

/** The service that the contract tests of a file share; the first test starts it. */
export function sharedService(): Promise<TestService> {
  service ??= startTestService({ BARLINE_QUERY_BYTES_MAX: String(QUERY_BYTES_MAX) });
  return service;
}

export interface ContractCase {
  readonly api: Api;
  /** A user of another organization. */
  readonly other: Api;
  /** The user of `api`, for calls whose number varies, such as polling. */
  readonly unrecorded: Api;
  readonly service: TestService;
}

/**
 * One behaviour of the API, run over gRPC and over REST, each with users of its own. It must hold
 * on both, and all answers must be the same but for ids, times, tokens and generated names.
 */
export function contract(name: string, act: (run: ContractCase) => Promise<void>): void {
  test(name, async () => {
    const service = await sharedService();
    const transcripts: unknown[][] = [];
    for (const transport of ['grpc', 'rest'] as const) {
      const transcript: unknown[] = [];
      const apiOf = async (): Promise<Api> => {
        const { token } = await service.login();
        return transport === 'grpc' ? grpcApi(service.client, token) : restApi(service.origin, token);
      };
      const [unrecorded, other] = [await apiOf(), await apiOf()];
      const api = recorded(unrecorded, transcript);
      await act({ api, other: recorded(other, transcript), unrecorded, service });
      transcripts.push(transcript);
    }
    assert.deepEqual(transcripts[1], transcripts[0], 'REST answers what gRPC answers');
  });
}

function recorded(api: Api, transcript: unknown[]): Api {
  return {
    transport: api.transport,
    async call(method, request, headers) {
      const answer = await api.call(method, request, headers);
      transcript.push(settled(method, api.transport === 'grpc' ? asRest(method, answer) : answer));
      return answer;
    },
  };
}

const volatile: readonly [RegExp, string][] = [
  [/"(access_token|refresh_token|key|key_prefix|secret)":"[^"]+"/g, '"$1":"($1)"'],
  [/\b(local_\w{6})\w*/g, '(key)'],
  [/Person [0-9a-f]{4}/g, '(person)'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '(id)'],
  [/"next_page_token":"[^"]+"/g, '"next_page_token":"(token)"'],
  [/exp_20\d{6}T\d{12}Z/g, '(experiment)'],
  [/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '(time)'],
  [/"(\w*_seconds|execution_time|rate)":[\d.e-]+/g, '"$1":0'],
];

/**
 * An answer without what differs between runs. REST leaves out some fields that gRPC leaves unset,
 * as its document says.
 */
function settled(method: string, { code, message, body }: Answer): unknown {
  let text = JSON.stringify({ method, code, message, body }, (_, value) => (value === null ? undefined : value));
  for (const [pattern, replacement] of volatile) text = text.replace(pattern, replacement);
  return JSON.parse(text);
}
