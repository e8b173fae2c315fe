import { planAnswer } from '../../../../models/engines/answer/answer-plan.ts';
import { createAnswerParser } from '../../../../models/engines/answer/answer-parser.ts';
import {
  createChatTemplate,
  type ChatTemplate,
} from '../../../../models/engines/answer/template/chat-template.ts';
import { toTemplateInput } from '../../../../models/engines/answer/template/template-messages.ts';
import type { ChatPrompt } from '../../../../src/runtime/engine.ts';
import { bundledTemplates } from '../../../../scripts/fixtures/llama-files.ts';

const sources = bundledTemplates();
const opened = new Map<string, ChatTemplate>();

export const TEMPLATE_NAMES = [...sources.keys()];

/** A template of llama.cpp's, compiled once for all tests of a file. */
export function openTemplate(name: string): ChatTemplate {
  const known = opened.get(name);
  if (known) return known;
  const template = createChatTemplate({ source: sources.get(name), bosToken: '<s>', eosToken: '</s>' });
  opened.set(name, template);
  return template;
}

export type Read = { content: string; thought: string; calls: [name: string, args: unknown][] };

/** Parses an answer to this prompt, in however many pieces. Surrounding blanks do not count. */
export function createReading(template: ChatTemplate, prompt: ChatPrompt) {
  const plan = planAnswer(prompt, template.render(toTemplateInput(prompt)), template);
  const read = (pieces: readonly string[]): Read => {
    const reader = createAnswerParser({ ...plan, stop: [], onAnswer: () => {}, onCall: () => {} });
    const all = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush()];
    const written: { name: string; text: string }[] = [];
    const said = { text: '', reasoning: '' };
    for (const piece of all) {
      if (piece.type === 'toolCall') written[piece.index] = { name: piece.name, text: '' };
      else if (piece.type !== 'toolArguments') said[piece.type] += piece.text;
      else (written[piece.index] ?? { text: '' }).text += piece.text;
    }
    const calls = written.map(({ name, text }): [string, unknown] => [name, JSON.parse(text)]);
    return { content: said.text.trim(), thought: said.reasoning.trim(), calls };
  };
  return { plan, read };
}
