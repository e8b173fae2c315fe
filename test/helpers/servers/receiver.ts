import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificates } from '../../../scripts/fixtures/certificates.ts';

export type Delivery = {
  headers: Record<string, string>;
  body: string;
  event: { type: string; data: unknown };
};

export type Behaviour = (delivery: Delivery, response: ServerResponse) => void;

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** A webhook receiver that keeps its requests and answers as scripted. */
export async function openReceiver(options: { certificates?: Certificates; behave?: Behaviour } = {}) {
  const { certificates } = options;
  const deliveries: Delivery[] = [];
  let behave: Behaviour = options.behave ?? ((_delivery, response) => void response.end('ok'));
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const delivery = {
        headers: request.headers as Record<string, string>,
        body,
        event: JSON.parse(body) as never,
      };
      deliveries.push(delivery);
      behave(delivery, response);
    });
  };
  const server = certificates
    ? createHttps({ key: certificates.key, cert: certificates.cert }, onRequest)
    : createHttp(onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificates ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    port,
    deliveries,
    ids: () => deliveries.map(({ headers }) => headers['webhook-id'] ?? ''),
    types: () => deliveries.map(({ event }) => event.type),
    behaves: (next: Behaviour) => void (behave = next),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const answers =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (_delivery, response) =>
    void response.writeHead(status, headers).end(body);
