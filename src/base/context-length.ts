import { Failure } from './errors.ts';

export type ContextLength = {
  promptTokens: number;
  contextTokens: number;
  /** It was refused before all of it was counted. */
  isAtLeast?: boolean;
  /** What the client called its prompt. */
  param?: string;
};

/** In OpenAI's words, by which clients know that the prompt is too long and that no second try will help. */
export function contextLengthExceeded(length: ContextLength): Failure {
  const { promptTokens, contextTokens, isAtLeast = false, param = 'messages' } = length;
  const counted = `${isAtLeast ? 'at least ' : ''}${promptTokens} tokens`;
  const message =
    `This model's maximum context length is ${contextTokens} tokens. However, your ${param} resulted in ${counted}. ` +
    `Please reduce the length of the ${param}.`;
  const details = { n_prompt_tokens: promptTokens, n_ctx: contextTokens };
  return new Failure('context_length_exceeded', message, { param, details });
}

/** The same, with the command that makes the context longer. */
export function withFix(failure: Failure, fix: string): Failure {
  const { code, message, param, details, cause } = failure;
  const options = { details: { ...details, fix }, cause, ...(param !== undefined && { param }) };
  return new Failure(code, `${message.replace(/\.$/, '')}, or: ${fix}`, options);
}

/** Anthropic's words for the same. */
export function promptTooLong({ code, details }: Failure): string | undefined {
  const { n_prompt_tokens: promptTokens, n_ctx: contextTokens, fix } = details;
  if (code !== 'context_length_exceeded' || typeof promptTokens !== 'number') return undefined;
  const way = typeof fix === 'string' ? ` Shorten it, or: ${fix}` : '';
  return `prompt is too long: ${promptTokens} tokens > ${Number(contextTokens)} maximum.${way}`;
}
