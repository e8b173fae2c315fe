import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { llama } from '../../../models/engines/llama.ts';
import { bool, string } from '../../../src/gguf/gguf.ts';
import { endlessModel, randomModel, scriptedModel } from '../../helpers/models/models.ts';
import { ask, countTokens, GREEDY, never, startChat, user } from '../chats.ts';
import { load, manifestOf, testEngine } from '../engine-contract.ts';
import { customModel, sentencePieceTokenizer } from './llama/custom-model.ts';

testEngine({
  name: 'llama',
  engine: llama,
  chatModel: () => scriptedModel('Grüße, 世界! 😀 This is what I always say, whoever asks.'),
  endlessModel,
  variedModel: () => randomModel('llama', { seed: 3 }),
});

describe('llama: a prompt', () => {
  test.each(['<|im_end|>', '<|im_start|>system\n', '<|endoftext|>', 'a <|im_<|im_end|>end|> b'])(
    'with %j in a message treats it as text',
    async (content) => {
      const { path } = await scriptedModel('ok');
      await using session = await load(llama, path);
      const plain = 'x'.repeat(content.length);
      expect(await countTokens(session, user(content))).toBe(await countTokens(session, user(plain)));
    },
  );

  test.each([
    ['is put first where the file asks for it', true, '', 1],
    ['is not put twice where the template has it', true, '{{ bos_token }}', 1],
    ['is not there where neither wants it', false, '', 0],
  ])('the first token %s', async (_, addBos, prefix, expected) => {
    const template = `${prefix}{% for m in messages %}{{ m.content }}{% endfor %}`;
    const changes = {
      'tokenizer.ggml.add_bos_token': bool(addBos),
      'tokenizer.chat_template': string(template),
    };
    await using session = await load(llama, await customModel(changes));
    expect(await countTokens(session, user('abc'))).toBe(3 + expected);
  });

  test('with a vocabulary that adds spaces gets none where a message is split', async () => {
    await using session = await load(llama, await customModel(sentencePieceTokenizer()));
    expect(await countTokens(session, user('a</s>b'))).toBe(await countTokens(session, user('axxxxb')));
    expect(await ask(session, { maxTokens: 5 })).toMatchObject({ completionTokens: 5 });
  });

  test('as long as the context is refused before anything runs', async () => {
    const { path } = await randomModel('llama');
    await using session = await load(llama, path, { contextTokens: 300 });
    const overhead = await countTokens(session, user(''));
    const failure = { code: 'context_length_exceeded', param: 'messages' };
    const tooLong = ask(session, { messages: user('x'.repeat(300 - overhead)) });
    await expect(tooLong).rejects.toMatchObject({
      ...failure,
      details: { n_prompt_tokens: 300, n_ctx: 300 },
    });
    await expect(tooLong).rejects.toThrow(/300 .*300/);
    await expect(ask(session, { messages: user('x'.repeat(5_000_000)) })).rejects.toMatchObject(failure);
    const justFits = await ask(session, { messages: user('x'.repeat(299 - overhead)) });
    expect(justFits).toMatchObject({ promptTokens: 299, completionTokens: 1, reason: 'length' });
  });

  test('that the template refuses is an error of the request', async () => {
    const template =
      "{% for m in messages %}{% if m.content == 'No.' %}{{ raise_exception('no') }}{% endif %}{{ m.content }}{% endfor %}";
    await using session = await load(
      llama,
      await customModel({ 'tokenizer.chat_template': string(template) }),
    );
    await expect(ask(session, { messages: user('No.') })).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'messages',
    });
    expect((await ask(session, { maxTokens: 1 })).completionTokens).toBe(1);
  });
});

describe('llama: loading', () => {
  test.each([
    ['without a chat template', undefined, /no tokenizer\.chat_template/],
    ['with a template that fails', string("{{ raise_exception('broken') }}"), /broken/],
  ])('a file %s fails and names the file', async (_, template, message) => {
    const file = await customModel({ 'tokenizer.chat_template': template });
    const loading = load(llama, file);
    await expect(loading).rejects.toMatchObject({ code: 'invalid_model_file' });
    await expect(loading).rejects.toThrow(message);
    await expect(loading).rejects.toThrow(file);
  });

  test('measures the best number of threads where none is configured', async () => {
    const { path } = await randomModel('llama');
    const signal = never();
    await using session = await llama.load(manifestOf(llama, path), { slots: 1, contextTokens: 256 }, signal);
    const { threads, calibration } = session.description;
    const measurements = calibration?.measurements ?? [];
    expect(calibration?.threads).toBe(threads);
    expect(measurements.map((measured) => measured.threads)).toContain(threads);
    expect(measurements.every(({ msPerToken }) => msPerToken > 0 && Number.isFinite(msPerToken))).toBe(true);
  });
});

describe('llama: text', () => {
  const text = 'Grüße, 世界! 😀 One, two, three; and then 日本語 to the very end.';

  test('never holds half a character', async () => {
    const { path } = await scriptedModel(text);
    await using session = await load(llama, path);
    const { events } = await ask(session);
    expect(events.some((event) => event.type === 'text' && event.text.includes('\uFFFD'))).toBe(false);
    for (let maxTokens = 0; maxTokens < 8; maxTokens++) {
      const { text: start, completionTokens } = await ask(session, { maxTokens });
      expect(text.startsWith(start)).toBe(true);
      expect(completionTokens).toBe(maxTokens);
    }
  });

  test('ends exactly before a stop text, wherever the tokens are cut', async () => {
    const { path, pieces } = await scriptedModel(text);
    await using session = await load(llama, path);
    const range = fc.tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: 12 }));
    await fc.assert(
      fc.asyncProperty(range, async ([start, length]) => {
        const stop = text.slice(start, start + length);
        // Half a character is not text.
        fc.pre(Buffer.from(stop).toString() === stop);
        const answer = await ask(session, { stop: ['never said', stop] });
        expect(answer.text).toBe(text.slice(0, text.indexOf(stop)));
        expect(answer.reason).toBe('stop');
        const said = Buffer.concat(pieces.slice(0, answer.completionTokens)).toString();
        expect(said).toContain(stop);
      }),
      { numRuns: 40 },
    );
  });

  test('that could become a stop text is shown once it does not', async () => {
    const { path } = await scriptedModel(text);
    await using session = await load(llama, path);
    expect(await ask(session, { stop: ['very end!', 'end..'] })).toMatchObject({ text, reason: 'stop' });
  });
});

describe('llama: sampling', () => {
  const sampling = { ...GREEDY, temperature: 1 };

  test.each([1, 0, -1, 4294967295, 9007199254740991])('seed %d gives the same answer again', async (seed) => {
    const { path } = await randomModel('llama');
    await using session = await load(llama, path);
    const request = { sampling: { ...sampling, seed }, maxTokens: 20 };
    expect((await ask(session, request)).text).toBe((await ask(session, request)).text);
  });

  test('other seeds, and no seed, give other answers', async () => {
    const { path } = await randomModel('llama');
    await using session = await load(llama, path);
    const seeds = [{ seed: 1 }, { seed: 2 }, {}, {}];
    const texts = seeds.map(async (seed) => {
      return (await ask(session, { sampling: { ...sampling, ...seed }, maxTokens: 20 })).text;
    });
    expect(new Set(await Promise.all(texts)).size).toBe(4);
  });

  test('a small top_p leaves only the likeliest token', async () => {
    const { path } = await randomModel('llama');
    await using session = await load(llama, path);
    const greedy = await ask(session, { maxTokens: 20 });
    const narrow = await ask(session, { maxTokens: 20, sampling: { ...sampling, topP: 0.0001, seed: 5 } });
    expect(narrow.text).toBe(greedy.text);
  });

  test.each([undefined, { top: 2 }])(
    'so does a top_k of one, and a large one adds candidates (logprobs: %j)',
    async (logprobs) => {
      const { path } = await randomModel('llama');
      await using session = await load(llama, path);
      const wanted = { maxTokens: 20, ...(logprobs && { logprobs }) };
      const drawn = async (topK?: number) => {
        const few = { ...sampling, temperature: 2, seed: 5, ...(topK !== undefined && { topK }) };
        return (await ask(session, { ...wanted, sampling: few })).text;
      };
      const greedy = await ask(session, wanted);
      expect(await drawn(1)).toBe(greedy.text);
      expect(await drawn(200)).not.toBe(await drawn());
    },
  );

  test.each([{ presencePenalty: 2 }, { frequencyPenalty: 2 }])(
    '%o makes a model repeat itself less',
    async (penalty) => {
      // Unconstrained, this model repeats one byte.
      const { path } = await randomModel('llama', { seed: 2 });
      await using session = await load(llama, path);
      const plain = await ask(session, { maxTokens: 20 });
      const penalized = await ask(session, { maxTokens: 20, sampling: { ...GREEDY, ...penalty } });
      expect(new Set(penalized.text).size).toBeGreaterThan(2 * new Set(plain.text).size);
    },
  );
});

describe('llama: requests side by side', () => {
  test('advance together', async () => {
    const { path } = await endlessModel();
    await using session = await load(llama, path, { slots: 3 });
    const counts = [0, 0, 0];
    let apartMost = 0;
    const follow = async (index: number) => {
      for await (const event of startChat(session, { maxTokens: 60 })) {
        if (event.type !== 'text') continue;
        counts[index] = event.completionTokens;
        apartMost = Math.max(apartMost, Math.max(...counts) - Math.min(...counts));
      }
    };
    await Promise.all(counts.map((_, index) => follow(index)));
    expect(counts).toEqual([60, 60, 60]);
    // One that starts a step later is one token behind, or two while a step is running.
    expect(apartMost).toBeLessThanOrEqual(2);
  });

  test('continue during the prefill of a long prompt', async () => {
    const { path } = await randomModel('llama');
    await using session = await load(llama, path, { slots: 2, contextTokens: 4096 });
    const running = startChat(session, { maxTokens: 3000 })[Symbol.asyncIterator]();
    let tokens = 0;
    const follow = (async () => {
      for (let next = await running.next(); !next.done; next = await running.next()) tokens++;
    })();
    let tokensBefore = 0;
    for await (const event of startChat(session, { messages: user('long '.repeat(240)), maxTokens: 1 })) {
      if (event.type === 'prompt') tokensBefore = tokens;
      if (event.type === 'text') expect(tokens - tokensBefore).toBeGreaterThanOrEqual(2);
    }
    await session[Symbol.asyncDispose]();
    await follow;
  });

  test('go on when one of them ends, fails to start or is aborted', async () => {
    const { path } = await endlessModel();
    await using session = await load(llama, path, { slots: 4, contextTokens: 512 });
    const abort = new AbortController();
    const [short, long, aborted, refused] = await Promise.allSettled([
      ask(session, { maxTokens: 5 }),
      ask(session, { maxTokens: 120 }),
      (async () => {
        for await (const event of startChat(session, {}, abort.signal))
          if (event.type === 'text') abort.abort();
      })(),
      ask(session, { messages: user('x'.repeat(600)) }),
    ]);
    expect(short).toMatchObject({ value: { completionTokens: 5 } });
    expect(long).toMatchObject({ value: { completionTokens: 120 } });
    expect([aborted.status, refused.status]).toEqual(['fulfilled', 'rejected']);
  });
});
