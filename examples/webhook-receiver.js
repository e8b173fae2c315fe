// Receives webhooks and trusts only what askd signed. Forwarded from this machine, in two terminals:
//   WEBHOOK_SECRET=$(npx askd webhooks listen --print-secret) node examples/webhook-receiver.js
//   npx askd webhooks listen --forward-to http://127.0.0.1:3000/hook
// At a public address, with the secret that this prints: npx askd webhooks add URL --events chat.completed
import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret = '', PORT: port = '3000' } = process.env;
const TOLERANCE_SECONDS = 300;
const BODY_MAX = 1_000_000;
const SEEN_MAX = 10_000;

const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
if (key.length === 0) throw new Error('Set WEBHOOK_SECRET to what askd webhooks add printed.');
const seen = new Set();

const server = createServer(async (request, response) => {
  // The signature covers the bytes as sent: JSON that was parsed and written again no longer matches.
  const body = await readBody(request).catch(() => undefined);
  const problem =
    body === undefined ? 'the body is incomplete or too large' : problemWith(request.headers, body);
  // The answer comes before the work: a slow answer looks like a failure, and the event is sent again.
  response.writeHead(problem === undefined ? 204 : 400).end(problem);
  if (problem !== undefined) console.error(`rejected: ${problem}`);
  else if (isNew(request.headers['webhook-id'])) handle(JSON.parse(body.toString()));
});
server.listen(Number(port), '127.0.0.1', () =>
  console.log(`Listening on http://127.0.0.1:${server.address().port}/hook`),
);

function handle({ type, data }) {
  console.log(`${type} ${JSON.stringify(data)}`);
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= BODY_MAX) chunks.push(chunk);
  }
  return size <= BODY_MAX ? Buffer.concat(chunks) : undefined;
}

/** Undefined when askd signed this body, and lately: an old delivery may be a recording. */
function problemWith(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures) return 'a signature header is missing';
  const age = Date.now() / 1000 - Number(timestamp);
  if (!(Math.abs(age) <= TOLERANCE_SECONDS)) return 'the timestamp is too old or in the future';
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // Several signatures while a secret is being rotated.
  const isSigned = signatures.split(' ').some((signature) => isEqual(signature, `v1,${digest}`));
  return isSigned ? undefined : 'no signature matches';
}

/** Takes the same time wherever the difference is, so that a signature cannot be guessed byte by byte. */
function isEqual(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A delivery may come twice, always with the same id. */
function isNew(id) {
  if (seen.has(id)) return false;
  seen.add(id);
  if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value);
  return true;
}
