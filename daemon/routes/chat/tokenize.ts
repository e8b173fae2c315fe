import {
  detokenize,
  detokenizeAtRoot,
  tokenize,
  tokenizeAtRoot,
  type TokenizeAnswer,
  type TokenizeBody,
} from '../../../src/api/chat/tokenize.ts';
import type { TokenText } from '../../../src/runtime/engine.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { invalid, required } from '../../http/required.ts';

const MODEL = 'svc-chat-v1';

export function registerTokenize(register: RegisterRoute, { tokenizer, stopping }: Services): void {
  const daemon = stopping.signal;
  for (const endpoint of [tokenize, tokenizeAtRoot]) {
    register(endpoint, async ({ body, client }) => {
      const tokens = await tokenizer.tokenize(body.model ?? MODEL, toRequest(body), { client, daemon });
      return toAnswer(tokens, body);
    });
  }
  for (const endpoint of [detokenize, detokenizeAtRoot]) {
    register(endpoint, async ({ body: { model = MODEL, tokens }, client }) => {
      const content = await tokenizer.detokenize(model, tokens, { client, daemon });
      return { content, prompt: content };
    });
  }
}

function toRequest({ content, prompt, ...body }: TokenizeBody) {
  if (content !== undefined && prompt !== undefined)
    throw invalid('prompt', 'Give "content" or "prompt", not both.');
  return {
    text: required(content ?? prompt, 'content'),
    // vLLM adds them by default.
    addsSpecial: body.add_special ?? body.add_special_tokens ?? prompt !== undefined,
    parsesSpecial: body.parse_special ?? true,
  };
}

function toAnswer(tokens: readonly TokenText[], body: TokenizeBody): TokenizeAnswer {
  const withPieces = body.with_pieces ?? false;
  return {
    tokens: tokens.map(({ id, bytes }) => (withPieces ? { id, piece: pieceOf(bytes) } : id)),
    count: tokens.length,
    ...(body.return_token_strs && { token_strs: tokens.map(({ bytes }) => Buffer.from(bytes).toString()) }),
  };
}

/** Part of a character is not text, so its bytes are returned. */
function pieceOf(bytes: readonly number[]): string | number[] {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return [...bytes];
  }
}
