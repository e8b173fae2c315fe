import { Template } from '@huggingface/jinja';
import { Failure } from '../../../src/errors.ts';
import type { ChatMessage } from '../../../src/runtime/engine.ts';

export type ChatTemplate = {
  /** Throws a Failure about `messages` when the template refuses them. */
  render(messages: readonly ChatMessage[]): string;
};

export type ChatTemplateSource = {
  /** The file's own `tokenizer.chat_template`. */
  source: string | undefined;
  bosToken: string;
  eosToken: string;
};

const PROBE = '4711 probe 1147';

/** Compiles the template and tries it, so that a model whose template can't work fails while it loads. */
export function createChatTemplate({ source, bosToken, eosToken }: ChatTemplateSource): ChatTemplate {
  if (!source)
    throw new Failure(
      'invalid_model_file',
      'The file has no tokenizer.chat_template, so it is no chat model.',
    );
  const template = compile(source);
  const renderRaw = (messages: readonly ChatMessage[]) =>
    template.render({ messages, add_generation_prompt: true, bos_token: bosToken, eos_token: eosToken });
  probe(renderRaw);
  const takesSystem = showsSystem(renderRaw);
  return {
    render(messages) {
      if (!takesSystem && messages.some(({ role }) => role === 'system')) {
        throw refusal('This model has no system role: put the instructions into a user message.');
      }
      try {
        return renderRaw(messages);
      } catch (cause) {
        throw refusal(`This model's chat template refuses these messages: ${textOf(cause)}`, cause);
      }
    },
  };
}

function compile(source: string): Template {
  try {
    return new Template(source);
  } catch (cause) {
    throw new Failure('invalid_model_file', `The file's chat template is not valid: ${textOf(cause)}`, {
      cause,
    });
  }
}

type Render = (messages: readonly ChatMessage[]) => string;

function probe(render: Render): void {
  let text: string;
  try {
    text = render([{ role: 'user', content: PROBE }]);
  } catch (cause) {
    throw new Failure('invalid_model_file', `The file's chat template fails: ${textOf(cause)}`, { cause });
  }
  if (!text.includes(PROBE)) {
    throw new Failure('invalid_model_file', "The file's chat template leaves out what the user says.");
  }
}

/** Some templates refuse a system message and others drop it without a word. */
function showsSystem(render: Render): boolean {
  try {
    const text = render([
      { role: 'system', content: PROBE },
      { role: 'user', content: 'Hello' },
    ]);
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
