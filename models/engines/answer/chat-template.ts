import { compileTemplate, type Render } from './jinja/template.ts';
import { Failure } from '../../../src/errors.ts';
import { deriveCallFormat, GENERIC_CALLS, type CallFormat } from './call-format.ts';
import { renderContinued } from './continuation.ts';
import { findNamedFormat } from './formats/formats.ts';
import { toFunction, writeToolsAsText } from './generic-tools.ts';
import type { RenderRaw, TemplateInput } from './template-messages.ts';
import { strftime } from './jinja/strftime.ts';
import { createSwitches } from './switches.ts';
import { findThinking, type Thinking } from './thinking.ts';

export type ChatTemplate = {
  /** Throws a Failure about `messages` when the template refuses them. */
  render(input: TemplateInput): string;
  /** How a call of a tool is written, first as usual; and by whom the tools are put into the prompt. */
  calls: readonly [CallFormat, ...CallFormat[]];
  tools: 'template' | 'generic';
  thinking: Thinking | undefined;
};

export type ChatTemplateSource = {
  /** The file's own `tokenizer.chat_template`. */
  source: string | undefined;
  bosToken: string;
  eosToken: string;
};

const HELLO = { role: 'user', content: 'Hello' };
const PROBE = '4711 probe 1147';

/** Compiles the template and tries it, so that a model whose template can't work fails while it loads. */
export function createChatTemplate({ source, bosToken, eosToken }: ChatTemplateSource): ChatTemplate {
  if (!source)
    throw new Failure(
      'invalid_model_file',
      'The file has no tokenizer.chat_template, so it is no chat model.',
    );
  const template = compile(source);
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
  probe(renderRaw);
  const takesSystem = showsSystem(renderRaw);
  const own = deriveCallFormat(renderRaw);
  const thinking = findThinking(source, renderRaw);
  const renderWith = own
    ? renderRaw
    : ({ messages, tools = [], ...rest }: TemplateInput, addPrompt?: boolean) =>
        renderRaw({ ...rest, messages: writeToolsAsText(messages, tools, takesSystem) }, addPrompt);
  return {
    calls: findNamedFormat(source)?.calls ?? [own ?? GENERIC_CALLS],
    tools: own ? 'template' : 'generic',
    thinking,
    render(input) {
      if (!takesSystem && input.messages.some(({ role }) => role === 'system')) {
        throw refusal('This model has no system role: put the instructions into a user message.');
      }
      try {
        return input.continues ? renderContinued(renderWith, input, thinking) : renderWith(input);
      } catch (cause) {
        throw refusal(`This model's chat template refuses these messages: ${textOf(cause)}`, cause);
      }
    },
  };
}

/** What some templates want besides what all get: the tools as one text, and the day. */
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
    throw new Failure('invalid_model_file', "The file's chat template leaves out what the user says.");
  }
}

/** Some templates refuse a system message and others drop it without a word. */
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
