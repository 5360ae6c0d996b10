import { startLocalIssuer } from '../../server/local-issuer.js';
import { freePort } from './free-port.js';
import { startTestService } from './service.js';

const clientId = 'barline-test';

/** A service whose users log in through a sign-in page, which is the local issuer. */
export async function startRedirectService() {
  const port = String(await freePort());
  const redirectUri = `http://127.0.0.1:${port}/api/v1/auth/callback`;
  const issuer = await startLocalIssuer({ port: 0, clientId, redirectUris: [redirectUri], clock: Date.now });
  const service = await startTestService({
    BARLINE_HTTP_PORT: port,
    BARLINE_OIDC_ISSUERS: JSON.stringify([{ issuer: issuer.url, audiences: [clientId] }]),
    BARLINE_OIDC_REDIRECT: JSON.stringify({ issuer: issuer.url, clientId, redirectUri }),
  }).catch(async (error: unknown) => {
    await issuer.close(); // an open port would keep the test process from ending
    throw error;
  });
  return {
    service,
    issuer,
    start: `${service.origin}/api/v1/auth/login/google`,
    callback: redirectUri,
    async stop() {
      await service.stop();
      await issuer.close();
    },
  };
}

export type RedirectService = Awaited<ReturnType<typeof startRedirectService>>;
