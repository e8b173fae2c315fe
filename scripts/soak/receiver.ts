import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeCertificates } from '../fixtures/certificates.ts';

const LATE_MS = 2_000;

/** A webhook receiver that fails every second delivery: with an error status, by hanging up, or by answering late. */
export async function openFailingReceiver(folder: string) {
  const { key, cert, ca } = makeCertificates();
  const caFile = join(folder, 'receiver-ca.pem');
  writeFileSync(caFile, ca);
  let count = 0;
  const server = createServer({ key, cert }, (request, response) => {
    count += 1;
    request.resume();
    if (count % 6 === 1) response.writeHead(500).end();
    else if (count % 6 === 3) request.socket.destroy();
    else if (count % 6 === 5) setTimeout(() => response.end(), LATE_MS);
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    settings: { ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8', ASKD_WEBHOOKS_CA: caFile },
    count: () => count,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
