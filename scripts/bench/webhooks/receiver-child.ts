import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const { RECEIVER_KEY: key, RECEIVER_CERT: cert } = process.env;
const server = createServer({ key, cert }, (request, response) => {
  request.resume().on('end', () => response.end('ok'));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
// Also if the benchmark is killed.
process.on('disconnect', () => process.exit());
