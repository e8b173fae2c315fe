import { compileTemplate, type Render } from './jinja/template.ts';
import { Failure } from '../../../../src/base/errors.ts';
import { GENERIC_CALLS, type CallFormat } from '../calls/call-format.ts';
import { deriveCallFormat, findShown, type Shown } from '../calls/derive-calls.ts';
import { findShapings, shaped } from './message-shape.ts';
import { hasSystemBehind, withoutSystem, withOneSystem } from './system-messages.ts';
import { renderContinued } from './continuation.ts';
import { firstRendered } from './first-rendered.ts';
import { findNamedFormat } from '../calls/formats/formats.ts';
import type { NamedFormat } from '../calls/formats/named-format.ts';
import { createSupplement, NOTHING, toFunction } from './generic-tools.ts';
import type { RenderRaw, TemplateInput, TemplateMessage } from './template-messages.ts';
import { strftime } from './jinja/strftime.ts';
import { plainTools } from './plain-tools.ts';
import { createSwitches } from './switches.ts';
import type { AnswerTags } from '../reasoning/reasoning-tags.ts';
import { findReasoning, type ReasoningStyle } from '../reasoning/reasoning.ts';

export type ChatTemplate = {
  /** Throws a Failure about `messages` if the template rejects them. */
  render(input: TemplateInput): string;
  /** How a tool call is written, the usual way first; and who renders the tools into the prompt. */
  calls: readonly [CallFormat, ...CallFormat[]];
  tools: 'template' | 'generic';
  thinking: ReasoningStyle | undefined;
  /** The tags of the content, with or without reasoning. */
  tags: AnswerTags | undefined;
};

export type ChatTemplateSource = {
  /** The file's own `tokenizer.chat_template`. */
  source: string | undefined;
  bosToken: string;
  eosToken: string;
};

const HELLO = { role: 'user', content: 'Hello' };
const PROBE = '4711 probe 1147';

/** Compiles and probes the template, so that a model with a broken template fails to load. */
export function createChatTemplate({ source, bosToken, eosToken }: ChatTemplateSource): ChatTemplate {
  if (!source)
    throw new Failure(
      'invalid_model_file',
      'The file has no tokenizer.chat_template, so it is not a chat model.',
    );
  const template = compile(source);
  const named = findNamedFormat(source);
  const tokens = { bos_token: bosToken, eos_token: eosToken };
  const switches = createSwitches(source, (variables) =>
    answers(() =>
      template({ ...tokens, ...extras([]), messages: [HELLO], add_generation_prompt: true, ...variables }),
    ),
  );
  const renderRaw: RenderRaw = ({ messages, tools = [], reasoning, arguments: given }, addPrompt = true) => {
    const functions = tools.map((tool) => ({ type: 'function', function: toFunction(tool) }));
    return template({
      ...tokens,
      ...extras(functions),
      messages,
      add_generation_prompt: addPrompt,
      ...(functions.length > 0 && { tools: functions }),
      ...(reasoning && switches(reasoning)),
      ...given,
    });
  };
  const shapings = findShapings(source, (messages) =>
    renderRaw({ messages: messages as TemplateMessage[] }, false),
  );
  const render = shaped(renderRaw, shapings);
  probe(render);
  const takesSystem = showsSystem(render);
  const thinking = findReasoning(source, render);
  const { calls, tags, shown } = findCalls(named, render, thinking);
  const supplement = createSupplement({ shown, format: calls[0], takesSystem });
  /** As it is, or without what the template cannot render. */
  const withAll: RenderRaw = ({ messages, ...rest }, addPrompt) => {
    const all = supplement({ ...rest, messages: takesSystem ? messages : withoutSystem(messages) });
    const joined = takesSystem && hasSystemBehind(all.messages) ? withOneSystem(all.messages) : all.messages;
    const plain = plainTools(all.tools ?? []);
    return firstRendered(
      [
        all,
        { ...all, messages: joined },
        { ...all, tools: plain },
        { ...all, messages: joined, tools: plain },
      ],
      (input) => render(input, addPrompt),
    );
  };
  return {
    calls,
    tools: calls[0] === GENERIC_CALLS ? 'generic' : 'template',
    thinking,
    tags: thinking ?? tags,
    render(input) {
      try {
        return input.continues ? renderContinued(withAll, input, thinking) : withAll(input);
      } catch (cause) {
        throw refusal(`The model's chat template rejects these messages: ${textOf(cause)}`, cause);
      }
    },
  };
}

type Found = { calls: ChatTemplate['calls']; tags?: AnswerTags | undefined; shown: Shown };

/** A known format takes precedence, then the one derived from the template, then the generic one. */
function findCalls(
  named: NamedFormat | undefined,
  render: RenderRaw,
  thinking: ReasoningStyle | undefined,
): Found {
  const shown = findShown(render);
  if (named) return { ...named, shown };
  const derived = shown.calls && shown.results ? deriveCallFormat(render, thinking) : undefined;
  return derived ? { calls: [derived], shown } : { calls: [GENERIC_CALLS], shown: NOTHING };
}

/** What some templates need besides the usual variables: the tools as one text, and the date. */
function extras(functions: readonly unknown[]) {
  return { functions: JSON.stringify(functions), datetime: strftime(new Date(), '%b %d %Y') };
}

function compile(source: string): Render {
  try {
    return compileTemplate(source);
  } catch (cause) {
    throw new Failure('invalid_model_file', `The file's chat template is not valid: ${textOf(cause)}`, {
      cause,
    });
  }
}

function answers(render: () => string): boolean {
  try {
    render();
    return true;
  } catch {
    return false;
  }
}

function probe(render: RenderRaw): void {
  let text: string;
  try {
    text = render({ messages: [{ role: 'user', content: PROBE }] });
  } catch (cause) {
    throw new Failure('invalid_model_file', `The file's chat template fails: ${textOf(cause)}`, { cause });
  }
  if (!text.includes(PROBE)) {
    throw new Failure('invalid_model_file', "The file's chat template drops the user's messages.");
  }
}

/** Some templates reject a system message and others silently drop it. */
function showsSystem(render: RenderRaw): boolean {
  try {
    const text = render({
      messages: [
        { role: 'system', content: PROBE },
        { role: 'user', content: 'Hello' },
      ],
    });
    return text.includes(PROBE);
  } catch {
    return false;
  }
}

function refusal(message: string, cause?: unknown): Failure {
  return new Failure('invalid_value', message, { param: 'messages', cause });
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
