import { parentPort, workerData } from 'node:worker_threads';
import Fastify from 'fastify';

/** A server that sends a fixed answer for each path and does nothing else. */
const app = Fastify({ logger: false });
for (const [path, payload] of workerData as Map<string, string>) {
  const value: unknown = JSON.parse(payload);
  app.get(path, () => value);
}
parentPort?.postMessage(await app.listen({ host: '127.0.0.1', port: 0 }));
