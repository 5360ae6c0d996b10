import type { Command } from 'commander';
import { EngineError } from '../../engine/errors.js';
import { pathOfMethod } from '../../http/index.js';
import type { MethodName } from '../../rpc/index.js';
import {
  type RunningService,
  runService,
  type ServiceConfig,
  serviceParts,
  startLocalIssuer,
} from '../../server/index.js';
import { announceService } from '../announce.js';
import type { Environment } from '../environment.js';
import { parseWhole } from '../inputs.js';

const CLIENT_ID = 'barline-dev';
const loopbacks = ['127.0.0.1', 'localhost'];

export function addDev(program: Command, environment: Environment): void {
  program
    .command('dev')
    .description('start the service with a local sign-in page for development: any name is accepted')
    .option(
      '--issuer-port <port>',
      'port of the sign-in page; users belong to a port, so another port means other users',
      '5002',
    )
    .action(async ({ issuerPort }: { issuerPort: string }) => {
      const config = await environment.readServiceConfig();
      const redirectUri = callback(config);
      const port = parseWhole(issuerPort, 'issuer-port', 0, 65_535);
      const redirectUris = [redirectUri];
      const issuer = await startLocalIssuer({ port, clientId: CLIENT_ID, redirectUris, clock: Date.now });
      try {
        const settings = withIssuer(config, issuer.url, redirectUri);
        await runService(environment, settings, serviceParts, (service) => announce(service, issuer.url));
      } finally {
        await issuer.close();
      }
    });
}

/**
 * The address to which the sign-in page sends the browser back. The port must be fixed before the
 * service starts, and the host must be this machine.
 */
function callback({ BARLINE_HTTP_HOST: host, BARLINE_HTTP_PORT: port }: ServiceConfig): string {
  if (!loopbacks.includes(host)) {
    const message = `BARLINE_HTTP_HOST must be ${loopbacks.join(' or ')} for barline dev, was ${host}`;
    throw new EngineError('INVALID_FIELD', message, { field: 'BARLINE_HTTP_HOST' });
  }
  if (port === 0) {
    const message = 'BARLINE_HTTP_PORT must be 1..65535 for barline dev, was 0';
    throw new EngineError('INVALID_FIELD', message, { field: 'BARLINE_HTTP_PORT' });
  }
  return `http://${host}:${port}${pathOfMethod('Auth.FinishRedirect')}`;
}

const withIssuer = (config: ServiceConfig, issuer: string, redirectUri: string): ServiceConfig => ({
  ...config,
  BARLINE_OIDC_ISSUERS: [...config.BARLINE_OIDC_ISSUERS, { issuer, audiences: [CLIENT_ID] }],
  BARLINE_OIDC_REDIRECT: { issuer, clientId: CLIENT_ID, redirectUri },
});

function announce(service: RunningService, issuer: string): void {
  const url = (method: MethodName): string => `${service.origin}${pathOfMethod(method)}`;
  announceService(service, [
    `login  open ${url('Auth.StartRedirect')} in a browser, or`,
    `       curl -s ${issuer}/id-token -H 'Content-Type: application/json' -d '{"email":"me@example.com"}'`,
    `       curl -s ${url('Auth.Login')} -H 'Content-Type: application/json' -d '{"idp_token":"ID_TOKEN"}'`,
    `keys   POST ${url('Auth.CreateApiKey')} with the access token (for development only: any name is accepted)`,
  ]);
}
