import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeCertificates } from '../../fixtures/certificates.ts';

const CHILD = fileURLToPath(new URL('./receiver-child.js', import.meta.url));

/** A TLS receiver in a separate process that answers everything with 200. */
export async function startReceiver() {
  const { ca, key, cert } = makeCertificates();
  const child = fork(CHILD, { env: { ...process.env, RECEIVER_KEY: key, RECEIVER_CERT: cert } });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)));
    child.once('exit', () => reject(new Error('The receiver ended')));
  });
  const stop = async () => void child.kill();
  return { ca, url: `https://127.0.0.1:${port}/hook`, [Symbol.asyncDispose]: stop };
}
