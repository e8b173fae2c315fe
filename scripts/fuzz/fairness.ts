import { parseArgs } from 'node:util';
import { COSTLY_SCHEMAS } from './costly-schemas.ts';
import { startDaemon, type Daemon, type Reply } from './daemon.ts';
import { schemaRequest } from './schemas.ts';

/** How a stream of one key is affected by other keys that send the costliest requests there are. */
const { values } = parseArgs({ options: { quick: { type: 'boolean' } } });
const SECONDS = values.quick ? 10 : 60;
const ATTACKERS = 3;
const GAP_MS_MAX = 1_000;

const moderation = JSON.stringify({
  model: 'svc-moderation-v1',
  input: 'word and word again '.repeat(500_000),
});
const ATTACKS: readonly [name: string, path: string, body: string][] = [
  ...[
    'a pattern of optional parts before as many required ones',
    '20,000 nested parentheses',
    '5,000 objects in anyOf',
  ].map((name): [string, string, string] => [
    name,
    '/v1/chat/completions',
    schemaRequest(JSON.stringify(COSTLY_SCHEMAS[name])),
  ]),
  ['10 MB of text to moderate', '/v1/moderations', moderation],
];

await using daemon = await startDaemon({ ASKD_MODEL_CONTEXT_TOKENS: 'auto' });
const victim = await daemon.makeKey('victim');
await streamFor(daemon, victim, 2);
console.log(line('alone', await streamFor(daemon, victim, SECONDS)));
for (const attack of ATTACKS) await measure(attack[0], [attack]);
await measure('all of them', ATTACKS);

async function measure(name: string, attacks: typeof ATTACKS): Promise<void> {
  const over = new AbortController();
  const replies: Reply[] = [];
  const attackers = Array.from({ length: ATTACKERS }, (_, index) =>
    attackUntil(over.signal, attacks, index, replies),
  );
  const gaps = await streamFor(daemon, victim, SECONDS);
  console.log(line(name, gaps));
  over.abort();
  await Promise.all(attackers);
  const kinds = new Set(replies.map(({ status, code }) => `${status} ${code}`));
  const slowest = Math.max(...replies.map(({ ms }) => ms));
  console.log(
    `  ${replies.length} requests, the slowest ${Math.round(slowest)} ms: ${[...kinds].join(', ')}`,
  );
  if (Math.max(...gaps) > GAP_MS_MAX) process.exitCode = 1;
}

async function attackUntil(over: AbortSignal, attacks: typeof ATTACKS, first: number, replies: Reply[]) {
  for (let turn = first; !over.aborted; turn++) {
    const [, path, body] = attacks[turn % attacks.length] ?? ['', '', ''];
    const reply = await daemon.call(path, body).catch(() => undefined);
    replies.push(reply ?? { status: 0, code: 'no answer in time', text: '', ms: Infinity });
  }
}

/** The times between the parts of consecutive streams, and to the first part of each. */
async function streamFor({ address }: Daemon, key: string, seconds: number): Promise<number[]> {
  const endsAt = performance.now() + seconds * 1000;
  const gaps: number[] = [];
  while (performance.now() < endsAt) {
    let lastAt = performance.now();
    const response = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'svc-chat-v1',
        messages: [{ role: 'user', content: 'What is askd?' }],
        stream: true,
        max_tokens: 200,
      }),
    });
    for await (const part of response.body ?? []) {
      gaps.push(performance.now() - lastAt);
      lastAt = performance.now();
      void part;
    }
  }
  return gaps;
}

function line(name: string, gaps: readonly number[]): string {
  const sorted = gaps.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(0);
  return `${name}: ${gaps.length} parts, gaps of ${at(0.5)} ms in the middle, ${at(0.99)} at p99, ${at(1)} at most`;
}
