import { randomInt } from 'node:crypto';
import type { ChatAbilities, ChatMessage, ChatPrompt, ContentPart } from '../../../src/runtime/engine.ts';
import { planAnswer, type AnswerPlan } from '../answer/answer-plan.ts';
import { createChatTemplates } from '../answer/template/chat-templates.ts';
import { renderNeutral } from '../answer/template/assembled-controls.ts';
import { createNeutraliser, type PromptPart } from '../answer/template/neutralise.ts';
import { toTemplateInput } from '../answer/template/template-messages.ts';
import { prepareImage } from './image.ts';
import type { ModelFacts } from './model.ts';

/** `images` are data URLs, in the order of their placeholders. */
export type WrittenPrompt = { text: string; images: string[]; plan: AnswerPlan };

export type PromptWriter = ((prompt: ChatPrompt) => Promise<WrittenPrompt>) & { abilities: ChatAbilities };

/** The library's placeholder for an image. */
const IMAGE_PLACE = '<__media__>';
/** Splits a control token's text so that it is not parsed as the token. */
const WORD_JOINER = '\u2060';

/** Renders messages with images by the model's own template. */
export function createPromptWriter(facts: ModelFacts): PromptWriter {
  const { tokenizer, bosToken, eosToken, addsBos, controlTexts } = facts;
  const templates = createChatTemplates({ tokenizer, bosToken, eosToken });
  const neutralise = createNeutraliser([...controlTexts, IMAGE_PLACE]);
  const write = async (prompt: ChatPrompt): Promise<WrittenPrompt> => {
    const { messages } = prompt;
    const place = `\uE002${randomInt(2 ** 47)}\uE003`;
    const images = messages.flatMap(imagesOf);
    const withPlaces = messages.map((message) => markImages(message, place));
    const neutral = neutralise(toTemplateInput({ ...prompt, messages: withPlaces }));
    const template = templates.forPrompt(prompt);
    const rendered = renderNeutral(template, neutral);
    const plan = planAnswer(prompt, rendered, template);
    const text = neutral
      .split(rendered + plan.suffix)
      .map(writePart)
      .join('')
      .replaceAll(place, IMAGE_PLACE);
    const isDoubled = addsBos && bosToken !== '' && text.startsWith(bosToken);
    const urls: string[] = [];
    for (const [index, image] of images.entries()) urls.push(await prepareImage(image, index));
    return { text: isDoubled ? text.slice(bosToken.length) : text, images: urls, plan };
  };
  return Object.assign(write, { abilities: templates.abilities });
}

type ImagePart = Extract<ContentPart, { type: 'image' }>;

function imagesOf({ content }: ChatMessage): ImagePart[] {
  if (typeof content === 'string') return [];
  return content.filter((part): part is ImagePart => part.type === 'image');
}

function markImages(message: ChatMessage, place: string): ChatMessage {
  if (typeof message.content === 'string' || message.role === 'assistant' || message.role === 'tool') {
    return message;
  }
  const texts = message.content.map((part) => (part.type === 'text' ? part.text : place));
  return { ...message, content: texts.join('\n') };
}

/** The prompt is tokenized as a whole, so a message's text must not look like a control token. */
function writePart({ text, literal }: PromptPart): string {
  return literal ? text.slice(0, 1) + WORD_JOINER + text.slice(1) : text;
}
