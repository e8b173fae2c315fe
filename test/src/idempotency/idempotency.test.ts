import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../src/base/errors.ts';
import { createIdempotency, KEPT_BYTES_MAX } from '../../../src/idempotency/idempotency.ts';
import { readIdempotencyKey } from '../../../src/idempotency/key-syntax.ts';
import { openStore } from '../../../src/store/store.ts';
import { settableClock } from '../../helpers/clock.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('a request with an Idempotency-Key', () => {
  test('runs once, and then its answer is replayed', () => {
    const { idempotency } = open();
    const first = idempotency.begin(keyed());
    if (first.kind !== 'run') throw new Error('it should run');
    idempotency.complete(first.attempt, answer('hello'));
    const again = idempotency.begin(keyed({ requestId: 'req_2' }));
    expect(again).toMatchObject({ kind: 'replay', requestId: 'req_1', answer: { status: 201 } });
    expect(again.kind === 'replay' && again.answer.body.toString()).toBe('hello');
  });

  test('is refused while it runs, and may run again if it was abandoned', () => {
    const { idempotency } = open();
    const first = idempotency.begin(keyed());
    expect(codeOf(() => idempotency.begin(keyed()))).toBe('idempotency_in_progress');
    if (first.kind === 'run') idempotency.abandon(first.attempt);
    expect(idempotency.begin(keyed()).kind).toBe('run');
  });

  test('is refused with another body, whether it runs or is done', () => {
    const { idempotency } = open();
    const first = idempotency.begin(keyed());
    expect(codeOf(() => idempotency.begin(keyed({ body: 'other' })))).toBe('idempotency_key_reused');
    if (first.kind === 'run') idempotency.complete(first.attempt, answer('x'));
    expect(codeOf(() => idempotency.begin(keyed({ body: 'other' })))).toBe('idempotency_key_reused');
  });

  test.each([{ accountId: 'acct_2' }, { route: '/v1/other' }, { key: 'another' }])(
    'counts as another request with %o',
    (difference) => {
      const { idempotency } = open();
      idempotency.begin(keyed());
      expect(idempotency.begin(keyed(difference)).kind).toBe('run');
    },
  );

  test('left running by a dead daemon is taken over by the next one, once', () => {
    const { store, clock, idempotency } = open();
    idempotency.begin(keyed());
    const takenOver: string[] = [];
    const onResume = (requestId: string) => void takenOver.push(requestId);
    const next = createIdempotency({ store, clock, bootId: 'boot_2', onResume });
    expect(codeOf(() => next.begin(keyed({ body: 'other' })))).toBe('idempotency_key_reused');
    expect(next.begin(keyed({ requestId: 'req_2' })).kind).toBe('run');
    expect(codeOf(() => next.begin(keyed()))).toBe('idempotency_in_progress');
    expect(takenOver).toEqual(['req_1']);
  });

  test('is forgotten after a day', () => {
    const { clock, idempotency, store } = open();
    const first = idempotency.begin(keyed());
    if (first.kind === 'run') idempotency.complete(first.attempt, answer('x'));
    clock.advance(DAY_MS - 1);
    expect(idempotency.begin(keyed()).kind).toBe('replay');
    clock.advance(1);
    expect(idempotency.begin(keyed()).kind).toBe('run');
    expect(store.prepare<{ n: number }>('SELECT count(*) AS n FROM idempotency').get()?.n).toBe(1);
  });

  test('gives its answer only to the same credential', () => {
    const { idempotency } = open();
    const first = idempotency.begin(keyed());
    if (first.kind === 'run') idempotency.complete(first.attempt, answer('secret'));
    expect(codeOf(() => idempotency.begin(keyed({ credential: 'Bearer other' })))).toBe(
      'idempotency_response_unavailable',
    );
  });

  test('whose answer was too long is not run again either', () => {
    const { idempotency } = open();
    const first = idempotency.begin(keyed());
    if (first.kind === 'run') {
      idempotency.complete(first.attempt, { ...answer(''), body: Buffer.alloc(KEPT_BYTES_MAX + 1) });
    }
    expect(codeOf(() => idempotency.begin(keyed()))).toBe('idempotency_response_unavailable');
  });

  test('leaves no readable trace of its answer, its key or its credential in the database', () => {
    const { idempotency, store } = open();
    const secret = `ask_${randomBytes(20).toString('hex')}`;
    const first = idempotency.begin(keyed({ key: 'my-own-key', credential: 'Bearer tell-nobody' }));
    if (first.kind === 'run') idempotency.complete(first.attempt, answer(secret));
    const [row] = store.prepare<Record<string, unknown>>('SELECT * FROM idempotency').all();
    const bytes = Buffer.concat(Object.values(row ?? {}).map((value) => Buffer.from(String(value))));
    for (const hidden of [secret, 'my-own-key', 'tell-nobody']) expect(bytes.includes(hidden)).toBe(false);
  });

  test('takes effect at most once for each key, whatever is sent, ended, crashed or forgotten', () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('send' as const),
        key: fc.integer({ min: 0, max: 2 }),
        body: fc.boolean(),
      }),
      fc.record({
        do: fc.constantFrom('finish' as const, 'fail' as const),
        key: fc.integer({ min: 0, max: 2 }),
      }),
      fc.record({ do: fc.constant('restart' as const), key: fc.constant(0) }),
      fc.record({ do: fc.constant('wait' as const), key: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = open({ isTest: false });
        try {
          checkSteps(world, steps);
        } finally {
          world.store.close();
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the header', () => {
  test('may be quoted', () => {
    expect(readIdempotencyKey('"a-b"')).toBe(readIdempotencyKey('a-b'));
  });

  test.each(['', ' ', 'two words', 'ümlaut', 'x'.repeat(256), 'tab\there', '""'])(
    'is refused as %j',
    (key) => {
      expect(codeOf(() => readIdempotencyKey(key))).toBe('invalid_value');
    },
  );
});

type Step = { do: 'send' | 'finish' | 'fail' | 'restart' | 'wait'; key: number; body?: boolean };

/** A simple model to compare with: for each key, what is running and what was answered. */
function checkSteps(world: ReturnType<typeof open>, steps: readonly Step[]): void {
  let { idempotency } = world;
  let boots = 1;
  const model = new Map<number, { body: string; state: 'running' | 'orphaned' | 'done'; at: number }>();
  const attempts = new Map<number, Parameters<typeof idempotency.complete>[0]>();
  for (const { do: action, key, body } of steps) {
    const known = model.get(key);
    if (action === 'send') {
      const text = body ? 'one' : 'two';
      const alive = known && world.clock.now() - known.at < DAY_MS ? known : undefined;
      const outcome = attempt(() => idempotency.begin(keyed({ key: `k${key}`, body: text })));
      if (alive && alive.body !== text) expect(outcome).toBe('idempotency_key_reused');
      else if (alive?.state === 'running') expect(outcome).toBe('idempotency_in_progress');
      else if (alive?.state === 'done') expect(outcome).toMatchObject({ kind: 'replay' });
      else {
        expect(outcome).toMatchObject({ kind: 'run' });
        const at = alive?.at ?? world.clock.now();
        model.set(key, { body: text, state: 'running', at });
        if (typeof outcome === 'object' && outcome.kind === 'run') attempts.set(key, outcome.attempt);
      }
    } else if (action === 'restart') {
      boots += 1;
      idempotency = createIdempotency({ ...world, bootId: `boot_${boots}` });
      attempts.clear();
      for (const entry of model.values()) if (entry.state === 'running') entry.state = 'orphaned';
    } else if (action === 'wait') {
      world.clock.advance(DAY_MS / 3);
    } else if (known?.state === 'running' && world.clock.now() - known.at < DAY_MS) {
      const running = attempts.get(key);
      if (!running) continue;
      if (action === 'finish') {
        idempotency.complete(running, answer('done'));
        known.state = 'done';
      } else {
        idempotency.abandon(running);
        model.delete(key);
      }
    }
  }
}

function open({ isTest = true } = {}) {
  const clock = settableClock();
  const store = openStore(':memory:');
  if (isTest) onTestFinished(() => store.close());
  return { clock, store, idempotency: createIdempotency({ store, clock, bootId: 'boot_1' }) };
}

function keyed({
  body = 'one',
  ...rest
}: Partial<Record<'accountId' | 'route' | 'key' | 'credential' | 'requestId' | 'body', string>> = {}) {
  return {
    accountId: 'acct_1',
    method: 'POST',
    route: '/v1/thing',
    key: 'key-1',
    credential: 'Bearer one',
    requestId: 'req_1',
    fingerprint: createHash('sha256').update(body).digest(),
    ...rest,
  };
}

function answer(text: string) {
  return { status: 201, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
}

function attempt<Result>(work: () => Result): Result | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

function codeOf(work: () => unknown): unknown {
  return attempt(work);
}
