import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Stands between a server on this machine and its clients.
 * @param ownPort 0 for any free one
 */
export async function startProxy(serverPort: number, ownPort = 0) {
  const ends: Socket[] = [];
  let isSilent = false;
  const listener = createServer((client) => {
    ends.push(client.on('error', () => {}));
    if (isSilent) return;
    const server = connect(serverPort, '127.0.0.1');
    ends.push(server.on('error', () => {}));
    client.pipe(server).pipe(client);
  });
  await once(listener.listen(ownPort, '127.0.0.1'), 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    /** Connections stay and new ones can be made, but no data passes. */
    fallSilent() {
      isSilent = true;
      for (const end of ends) end.unpipe().pause();
    },
    async stop() {
      for (const end of ends) end.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
