import { describe, expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import { vocabularyModel } from '../../../helpers/models/models.ts';
import { ask, countTokens, never, user } from '../../chats.ts';
import { load } from '../../engine-contract.ts';

const VOCABULARIES = (
  'aquila baichuan command-r deepseek-coder deepseek-llm falcon gemma-4 gpt-2 gpt-neox llama-bpe llama-spm mpt phi-3 ' +
  'qwen2 qwen35 refact starcoder'
).split(' ');
const TEMPLATE = 'Qwen-Qwen2.5-7B-Instruct';

/** Scripts of one to four bytes a character, and characters of several code points. */
const TEXT = 'Grüße, 世界! 👩‍👩‍👧 កាន់ 🦙🇰🇭 — naïve «да» \u0301x ✅ end';
const ONE_TEXT = { type: 'grammar', grammar: `root ::= ${JSON.stringify(TEXT)}` } as const;

/** As a client receives it, piece by piece. */
const piecesOf = (events: Awaited<ReturnType<typeof ask>>['events']) =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : []));

describe.each(VOCABULARIES)('%s', (vocabulary) => {
  test('streams whole characters, counts what it evaluates, stops across tokens and takes no control token', async () => {
    const { path } = await vocabularyModel(vocabulary, TEMPLATE);
    await using session = await load(llama, path, { contextTokens: 2048 });
    const answer = await ask(session, { maxTokens: 400, format: ONE_TEXT });
    const pieces = piecesOf(answer.events);
    expect(pieces.join('')).toBe(TEXT);
    expect(pieces.filter((piece) => /[\p{Surrogate}\uFFFD]/u.test(piece))).toEqual([]);

    for (const stop of ['界! 👩', '🦙🇰', 'naïve «', ' end', 'e, 世']) {
      const stopped = await ask(session, { maxTokens: 400, format: ONE_TEXT, stop: [stop] });
      expect([stop, stopped.text]).toEqual([stop, TEXT.slice(0, TEXT.indexOf(stop))]);
    }

    for (const text of ['Hello', TEXT, TEXT.repeat(5)]) {
      const { promptTokens } = await ask(session, { messages: user(text), maxTokens: 1 });
      expect(await countTokens(session, user(text))).toBe(promptTokens);
    }
    expect(await smuggled(session)).toEqual([]);
  });
});

/** Of the usual control tokens, those that a message turns into the token itself. */
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
