import { describe, expect, test } from 'vitest';
import { Failure, type FailureCode } from '../../../../src/base/errors.ts';
import { createFallbacks, type FellBack } from '../../../../src/inference/fallback/fallback.ts';
import type { Attempt } from '../../../../src/inference/metered.ts';

type Asked = { attempt?: Attempt; client: AbortSignal };

/** Three candidates, of which these fail, with a clock that is moved by hand. */
function threeModels(down: Record<string, FailureCode>) {
  const time = { nowMs: 0 };
  const fellBack: FellBack[] = [];
  const recovered: string[] = [];
  const asked: string[] = [];
  const fallbacks = createFallbacks({
    candidatesFor: () => ['big', 'middle', 'small'],
    onFallback: (each) => fellBack.push(each),
    onRecovered: (artifact) => recovered.push(artifact),
    nowMs: () => time.nowMs,
  });
  const client = new AbortController();
  const answer = async ({ attempt }: Asked): Promise<string> => {
    const { artifact = 'none' } = attempt ?? {};
    asked.push(artifact);
    const code = down[artifact];
    if (code) throw new Failure(code, `${artifact} is out`);
    return artifact;
  };
  const ask = () => fallbacks.once('m', { client: client.signal }, answer);
  return { fallbacks, ask, down, time, fellBack, recovered, asked, client };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: Failure) => error.code,
  );

describe('a request', () => {
  test('is served by the first model that can', async () => {
    const { ask, asked, fellBack } = threeModels({ big: 'insufficient_memory', middle: 'runner_crashed' });
    expect(await ask()).toBe('small');
    expect(asked).toEqual(['big', 'middle', 'small']);
    expect(fellBack).toMatchObject([{ model: 'm', from: 'big', to: 'small', isFirst: true }]);
  });

  test('that is itself invalid is tried with no other model', async () => {
    const { ask, asked } = threeModels({ big: 'invalid_value' });
    expect(await codeOf(ask())).toBe('invalid_value');
    expect(asked).toEqual(['big']);
  });

  test('that no model can serve fails as the bound model did', async () => {
    const { ask, asked } = threeModels({
      big: 'upstream_unavailable',
      middle: 'model_capability_mismatch',
      small: 'model_load_failed',
    });
    expect(await codeOf(ask())).toBe('upstream_unavailable');
    expect(asked).toEqual(['big', 'middle', 'small']);
  });

  test('without credits is tried with no other model', async () => {
    const { ask, asked } = threeModels({ big: 'upstream_failed', middle: 'insufficient_credits' });
    expect(await codeOf(ask())).toBe('insufficient_credits');
    expect(asked).toEqual(['big', 'middle']);
  });

  test('whose client has left is tried with no other model', async () => {
    const { ask, asked, client } = threeModels({ big: 'upstream_failed' });
    client.abort();
    expect(await codeOf(ask())).toBe('upstream_failed');
    expect(asked).toEqual(['big']);
  });
});

describe('a model that failed', () => {
  test('is skipped for a while, longer each time, and then tried again', async () => {
    const { ask, asked, down, time, recovered } = threeModels({ big: 'upstream_unavailable' });
    await ask();
    await ask();
    expect(asked.splice(0)).toEqual(['big', 'middle', 'middle']);
    time.nowMs = 501;
    await ask();
    time.nowMs += 501;
    await ask();
    expect(asked.splice(0)).toEqual(['big', 'middle', 'middle']);
    delete down['big'];
    time.nowMs += 501;
    expect(await ask()).toBe('big');
    expect(recovered).toEqual(['big']);
  });

  test('is still asked when the others cannot answer', async () => {
    const { ask, asked, down } = threeModels({ big: 'upstream_unavailable' });
    await ask();
    Object.assign(down, { middle: 'runner_crashed', small: 'runner_crashed' });
    delete down['big'];
    asked.splice(0);
    expect(await ask()).toBe('big');
    expect(asked).toEqual(['middle', 'small', 'big']);
  });

  test('because it was busy is tried again at once', async () => {
    const { ask, asked } = threeModels({ big: 'queue_full' });
    await ask();
    await ask();
    expect(asked).toEqual(['big', 'middle', 'big', 'middle']);
  });

  test('is reported once for each outage', async () => {
    const { ask, down, time, fellBack } = threeModels({ big: 'upstream_unavailable' });
    await ask();
    await ask();
    delete down['big'];
    time.nowMs = 60_000;
    await ask();
    down['big'] = 'upstream_unavailable';
    await ask();
    expect(fellBack.map(({ isFirst }) => isFirst)).toEqual([true, false, true]);
  });
});

describe('a stream', () => {
  test('continues with another model before its first words', async () => {
    const { fallbacks, client } = threeModels({});
    async function* talk({ attempt }: Asked): AsyncGenerator<string> {
      yield 'prompt';
      if (attempt?.artifact === 'big') throw new Failure('upstream_failed', 'big broke off');
      yield `${attempt?.artifact} answers`;
    }
    const stream = fallbacks.stream('m', { client: client.signal }, talk, (event) => event === 'prompt');
    const whole: string[] = [];
    for await (const event of stream) whole.push(event);
    expect(whole).toEqual(['prompt', 'middle answers']);
  });

  test('that broke off after its first words fails', async () => {
    const { fallbacks, client } = threeModels({});
    async function* talk(): AsyncGenerator<string> {
      yield 'word';
      throw new Failure('upstream_failed', 'broke off');
    }
    const events = fallbacks.stream('m', { client: client.signal }, talk);
    expect((await events.next()).value).toBe('word');
    expect(await codeOf(events.next())).toBe('upstream_failed');
  });
});
