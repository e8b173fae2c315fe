import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { TaskContext } from '../../src/inference/items.ts';
import type { ServedBy, Stage } from '../../src/inference/metered.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { version } from '../../src/base/version.ts';
import { countsPieces } from '../../src/access/simulation/trouble.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Call } from './register-route.ts';

type Caller = Pick<Call<Endpoint>, 'requestId' | 'principal' | 'client' | 'reply'>;

/** The caller of an inference request, what ends it early, and headers that say where it ran. */
export function toContext(
  { requestId, principal, client, reply }: Caller,
  { stopping, telemetry }: { stopping: AbortController; telemetry: Pick<Telemetry, 'mark' | 'served'> },
): TaskContext {
  const { accountId, keyId } = principal;
  const onServed = (by: ServedBy): void => {
    telemetry.served(requestId, by);
    void reply.headers(servedHeaders(by));
  };
  const onStage = (stage: Stage) => telemetry.mark(requestId, stage);
  onStage('authenticated');
  const { batch, simulated } = reply.request;
  const isPieceByPiece = simulated !== undefined && countsPieces(simulated.trouble);
  const who = { requestId, accountId, keyId, batch, isPieceByPiece };
  return { ...who, client, daemon: stopping.signal, onServed, onStage };
}

/** Tells the client where its model runs, and why it does not run elsewhere. */
export function servedHeaders({ artifact, device, fallback }: ServedBy): Record<string, string> {
  const headers = { 'x-askd-artifact': headerText(artifact), 'x-askd-device': headerText(device) };
  return fallback === undefined ? headers : { ...headers, 'x-askd-fallback': headerText(fallback) };
}

/** What an answer depends on besides its request: the model file and this program's version. */
export function fingerprintOf(reply: FastifyReply): string {
  const artifact = String(reply.getHeader('x-askd-artifact') ?? '');
  return `fp_${createHash('sha256').update(`${artifact} ${version}`).digest('hex').slice(0, 12)}`;
}

/** Names of cards and files may contain characters that headers cannot. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
