import type { WebhookEventType } from '../../src/api/account/webhook-events.ts';
import { Failure } from '../../src/base/errors.ts';
import { webhookComplaint } from '../../src/base/webhook-signature.ts';
import type { Context } from '../context.ts';
import type { Output } from '../output/output.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { forward } from './forward.ts';
import { openReceiver, type Incoming } from './receiver.ts';

export type ListenOptions = { events?: readonly WebhookEventType[]; forwardTo?: URL };

type Event = { type: string; timestamp: string; data: Record<string, unknown> };

/** Prints deliveries until it is stopped. Only correctly signed ones are accepted. */
export async function listen(
  { connect, output }: Context,
  { events, forwardTo }: ListenOptions,
): Promise<never> {
  const client = await connect();
  const known: { secret?: string } = {};
  using receiver = await openReceiver(async (incoming) => {
    const complaint = complaintOf(incoming, known.secret);
    if (complaint !== undefined) return (output.talk(`rejected a request: ${complaint}`), 401);
    const status = forwardTo === undefined ? 200 : await forward(forwardTo, incoming).catch(() => 502);
    print(output, incoming, { status, ...(forwardTo && { forwardTo }) });
    return status;
  });
  const lease = client.webhooks.listen({ port: receiver.port, ...(events && { events: [...events] }) });
  const first = await lease.next();
  if (first.done) throw daemonEnded();
  Object.assign(known, first.value);
  output.note(`Listening for ${events?.join(', ') ?? 'every event'}. Ctrl-C ends it.`);
  await lease.next();
  throw daemonEnded();
}

function complaintOf({ headers, body }: Incoming, secret: string | undefined): string | undefined {
  if (secret === undefined) return 'the receiver is not registered yet';
  return webhookComplaint({ headers, body, secret, nowMs: Date.now() });
}

type Answered = { status: number; forwardTo?: URL };

function print(output: Output, { headers, body }: Incoming, { status, forwardTo }: Answered): void {
  const { type, timestamp, data } = JSON.parse(body.toString('utf8')) as Event;
  const id = String(headers['webhook-id']);
  if (output.json) {
    const forwarded = forwardTo && { forwarded: { url: forwardTo.href, status } };
    output.line(JSON.stringify({ id, type, timestamp, data, verified: true, ...forwarded }));
    return;
  }
  const handedOn = forwardTo === undefined ? '' : `  → ${status}`;
  output.line(
    sanitiseLine(`${timestamp.slice(11, 19)}  ${type.padEnd(20)}  ${id}  ${JSON.stringify(data)}${handedOn}`),
  );
}

function daemonEnded(): Failure {
  return new Failure('daemon_unreachable', 'The daemon has stopped, so no more events arrive.');
}
