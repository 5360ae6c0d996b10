import { createRestClient, type RestClient } from '../../library/client/rest.js';

/** A way to be known to the service: a key as it is, or a session whose access tokens are renewed. */
type Credential =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'session'; readonly refreshToken: string };

const KEPT = 'barline.credential';

/** Thrown where the service takes the credential no longer; the page then asks for another. */
class SignedOut extends Error {}

/**
 * Who the page is to the service. A one-time token in the address, which the operator was shown,
 * opens a session that the browser keeps; without one the user signs in.
 */
export class Session {
  #credential: Credential | null = readKept();
  #accessToken: Promise<string> | null = null;
  /** Sends calls again while the service restarts, see `createRestClient`. */
  readonly api: RestClient = createRestClient({ url: location.origin, fetch: (request) => this.#send(request) });

  constructor(private readonly onSignedOut: () => void) {}

  get isSignedIn(): boolean {
    return this.#credential !== null;
  }

  /** @throws Error that says why the service refused the token */
  async exchange(token: string): Promise<void> {
    const { data, error } = await this.api.POST('/api/v1/auth/exchange', { body: { one_time_token: token } });
    if (data === undefined) throw new Error(error.message);
    this.#keep({ kind: 'session', refreshToken: data.refresh_token });
  }

  /** @throws Error for a key that the service does not know */
  async useKey(key: string): Promise<void> {
    this.#keep({ kind: 'key', key });
    const { error } = await this.api.GET('/api/v1/auth/profile');
    if (error !== undefined) throw new Error(error.message);
  }

  async signOut(): Promise<void> {
    if (this.#credential?.kind === 'session') await this.api.POST('/api/v1/auth/logout').catch(() => {});
    this.#forget();
  }

  /** A request with the credential, for what the typed client does not read, such as streams. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#send(new Request(new URL(path, location.origin), init));
  }

  async #send(request: Request): Promise<Response> {
    const isPublic = request.url.includes('/auth/exchange') || request.url.includes('/auth/refresh');
    if (isPublic || this.#credential === null) return fetch(request);
    const again = request.clone();
    const answer = await fetch(this.#authorized(request, await this.#bearer()));
    if (answer.status !== 401) return answer;
    this.#accessToken = null; // it may have expired
    if (this.#credential?.kind === 'session') {
      const second = await fetch(this.#authorized(again, await this.#bearer()));
      if (second.status !== 401) return second;
    }
    this.#forget();
    this.onSignedOut();
    throw new SignedOut('the service does not take this credential any more: sign in again');
  }

  #authorized(request: Request, token: string): Request {
    request.headers.set('Authorization', `Bearer ${token}`);
    return request;
  }

  async #bearer(): Promise<string> {
    const credential = this.#credential;
    if (credential === null) throw new SignedOut('sign in first');
    if (credential.kind === 'key') return credential.key;
    this.#accessToken ??= this.#refresh(credential.refreshToken);
    return this.#accessToken.catch((error: unknown) => {
      this.#accessToken = null;
      throw error;
    });
  }

  async #refresh(refreshToken: string): Promise<string> {
    const { data, response } = await this.api.POST('/api/v1/auth/refresh', { body: { refresh_token: refreshToken } });
    if (data !== undefined) return data.access_token;
    if (response.status === 401) {
      this.#forget();
      this.onSignedOut();
    }
    throw new SignedOut('the session has ended: sign in again');
  }

  #keep(credential: Credential): void {
    this.#credential = credential;
    this.#accessToken = null;
    localStorage.setItem(KEPT, JSON.stringify(credential));
  }

  #forget(): void {
    this.#credential = null;
    this.#accessToken = null;
    localStorage.removeItem(KEPT);
  }
}

function readKept(): Credential | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? 'null');
    return kept as Credential | null;
  } catch {
    return null;
  }
}
