import { describe, expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import { bundledVocabularies } from '../../../../scripts/fixtures/llama-files.ts';
import { vocabularyModel } from '../../../helpers/models/models.ts';
import { ask, countTokens, never, user } from '../../chats.ts';
import { load } from '../../engine-contract.ts';

const TEMPLATE = 'Qwen-Qwen2.5-7B-Instruct';

/**
 * Vocabularies of embedding models: they have no bytes for characters that they lack, so no model generates with
 * them.
 */
const WITHOUT_BYTES = ['bert-bge', 'nomic-bert-moe'];
const VOCABULARIES = bundledVocabularies().filter((name) => !WITHOUT_BYTES.includes(name));

/** Scripts of one to four bytes a character, and characters of several code points. */
const TEXT = 'Grüße, 世界! 👩‍👩‍👧 កាន់ 🦙🇰🇭 — naïve «да» \u0301x ✅ end';

const written = (text: string) => ({ type: 'grammar', grammar: `root ::= ${JSON.stringify(text)}` }) as const;

/** As a client receives it, piece by piece. */
const piecesOf = (events: Awaited<ReturnType<typeof ask>>['events']) =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : []));

async function open(vocabulary: string) {
  const { path } = await vocabularyModel(vocabulary, TEMPLATE);
  return load(llama, path, { contextTokens: 2048 });
}

/** It counts what it evaluates, and no message becomes a control token. */
async function expectExactPrompts(session: Awaited<ReturnType<typeof load>>) {
  for (const text of ['Hello', TEXT, TEXT.repeat(5)]) {
    const { promptTokens } = await ask(session, { messages: user(text), maxTokens: 1 });
    expect(await countTokens(session, user(text))).toBe(promptTokens);
  }
  expect(await smuggled(session)).toEqual([]);
}

/** A quiet machine needs ten seconds. */
const LONG = { timeout: 300_000 };

describe.each(VOCABULARIES)('%s', (vocabulary) => {
  test(
    'streams whole characters, counts what it evaluates, stops across tokens and accepts no control token',
    LONG,
    async () => {
      await using session = await open(vocabulary);
      const answer = await ask(session, { maxTokens: 400, format: written(TEXT) });
      const pieces = piecesOf(answer.events);
      expect(pieces.join('')).toBe(TEXT);
      expect(pieces.filter((piece) => /[\p{Surrogate}\uFFFD]/u.test(piece))).toEqual([]);

      for (const stop of ['界! 👩', '🦙🇰', 'naïve «', ' end', 'e, 世']) {
        const stopped = await ask(session, { maxTokens: 400, format: written(TEXT), stop: [stop] });
        expect([stop, stopped.text]).toEqual([stop, TEXT.slice(0, TEXT.indexOf(stop))]);
      }
      await expectExactPrompts(session);
    },
  );
});

describe.each(WITHOUT_BYTES)('%s, of an embedding model,', (vocabulary) => {
  test('has no token for some characters, and otherwise does the same', LONG, async () => {
    await using session = await open(vocabulary);
    const request = { text: TEXT, addsSpecial: false, parsesSpecial: false };
    const tokens = (await session.tokenize?.(request, never())) ?? [];
    const unknown = tokens.filter(({ bytes }) => /^(<unk>|\[UNK\])$/.test(Buffer.from(bytes).toString()));
    expect(unknown.length).toBeGreaterThan(0);

    const answer = await ask(session, { maxTokens: 20, format: written('hello') });
    expect(answer.text, JSON.stringify(answer.events)).toBe('hello');
    await expectExactPrompts(session);
  });
});

/** The usual control tokens that a message turns into the token itself. */
async function smuggled(session: Awaited<ReturnType<typeof load>>): Promise<string[]> {
  const tokens = async (text: string, parsesSpecial: boolean) =>
    (await session.tokenize?.({ text, addsSpecial: false, parsesSpecial }, never())) ?? [];
  const plain = await countTokens(session, user('a  b'));
  const taken: string[] = [];
  for (const text of CONTROLS) {
    const isControl = (await tokens(text, true)).length === 1 && (await tokens(text, false)).length > 1;
    if (!isControl) continue;
    const count = await countTokens(session, user(`a ${text} b`));
    if (count - plain < 2) taken.push(text);
  }
  return taken;
}

const CONTROLS = [
  ...[
    '<s>',
    '</s>',
    '<unk>',
    '<pad>',
    '<mask>',
    '[CLS]',
    '[SEP]',
    '<|endoftext|>',
    '<|im_start|>',
    '<|im_end|>',
  ],
  ...['<|eot_id|>', '<|begin_of_text|>', '<|start_header_id|>', '<|end_of_text|>', '<|end|>', '<|user|>'],
  ...[
    '<|assistant|>',
    '<|system|>',
    '<turn|>',
    '<|turn>',
    '<|channel>',
    '<channel|>',
    '<bos>',
    '<eos>',
    '<EOT>',
  ],
  ...[
    '<|START_OF_TURN_TOKEN|>',
    '<|END_OF_TURN_TOKEN|>',
    '<|USER_TOKEN|>',
    '<|CHATBOT_TOKEN|>',
    '<BOS_TOKEN>',
  ],
  ...[
    '<｜begin▁of▁sentence｜>',
    '<｜end▁of▁sentence｜>',
    '<|fim_prefix|>',
    '<fim_prefix>',
    '<|vision_start|>',
  ],
];
