import { Failure } from './errors.ts';

export type ContextLength = {
  promptTokens: number;
  contextTokens: number;
  /** The request was rejected before all of it was counted. */
  isAtLeast?: boolean;
  /** The parameter that holds the prompt. */
  param?: string;
};

/** OpenAI's wording, by which clients recognise that the prompt is too long and that no retry will help. */
export function contextLengthExceeded(length: ContextLength): Failure {
  const { promptTokens, contextTokens, isAtLeast = false, param = 'messages' } = length;
  const counted = `${isAtLeast ? 'at least ' : ''}${promptTokens} tokens`;
  const message =
    `This model's maximum context length is ${contextTokens} tokens. However, your ${param} resulted in ${counted}. ` +
    `Please reduce the length of the ${param}.`;
  const details = { n_prompt_tokens: promptTokens, n_ctx: contextTokens };
  return new Failure('context_length_exceeded', message, { param, details });
}

/** Adds the command that raises the limit. */
export function withFix(failure: Failure, fix: string): Failure {
  const { code, message, param, details, cause } = failure;
  const options = { details: { ...details, fix }, cause, ...(param !== undefined && { param }) };
  return new Failure(code, `${message.replace(/\.$/, '')}, or: ${fix}`, options);
}

/** Anthropic's wording for the same failure. */
export function promptTooLong({ code, details }: Failure): string | undefined {
  const { n_prompt_tokens: promptTokens, n_ctx: contextTokens, fix } = details;
  if (code !== 'context_length_exceeded' || typeof promptTokens !== 'number') return undefined;
  const way = typeof fix === 'string' ? ` Shorten it, or: ${fix}` : '';
  return `prompt is too long: ${promptTokens} tokens > ${Number(contextTokens)} maximum.${way}`;
}
