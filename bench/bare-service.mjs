// The smallest peer of the service: one Express route in front of one gRPC method, in one process,
// which answers with a fixed list. The difference between its rate and that of the service is the
// cost of identity, limits, state and shapes.
import { Client, credentials, Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import express from 'express';

const definition = loadSync('barline/v1/strategies.proto', {
  includeDirs: [new URL('../protos', import.meta.url).pathname],
  keepCase: true,
  longs: Number,
  defaults: true,
});
const service = definition['barline.v1.Strategies'];
const list = service.List;
const answer = JSON.parse(process.argv[2]);

const server = new Server();
server.addService({ List: list }, { List: (_call, respond) => respond(null, answer) });
const rpcPort = await new Promise((resolve, reject) =>
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
    error ? reject(error) : resolve(port),
  ),
);
const client = new Client(`127.0.0.1:${rpcPort}`, credentials.createInsecure());

const app = express();
app.get('/api/v1/strategies', (_request, response, next) => {
  client.makeUnaryRequest(
    list.path,
    list.requestSerialize,
    list.responseDeserialize,
    {},
    new Metadata(),
    (error, reply) => (error ? next(error) : response.json({ success: true, ...reply })),
  );
});
const http = app.listen(0, '127.0.0.1', () => {
  console.error(`bare http://127.0.0.1:${http.address().port}`);
});
