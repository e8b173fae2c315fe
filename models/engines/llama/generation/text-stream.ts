/** What a decoder shows for bytes that are not a character, and so for an incomplete one. */
const REPLACEMENT = '\uFFFD';
/**
 * Some vocabularies drop the space before the first word of a text, so tokens are decoded together with the ones
 * before.
 */
const CONTEXT_TOKENS = 4;
/** A character has at most four bytes, so an incomplete one lies within the last few tokens. */
const PENDING_TOKENS_MAX = 32;
const PENDING_TOKENS_KEPT = 8;

export type TextStream = {
  /** The text that this token completes. A character split across tokens waits for its other half. */
  push(token: number): string;
};

export function createTextStream(detokenize: (tokens: readonly number[]) => string): TextStream {
  let context: number[] = [];
  let contextText = '';
  let pending: number[] = [];
  let emitted = 0;

  function pendingText(): string {
    const text = detokenize([...context, ...pending]);
    return text.startsWith(contextText) ? text.slice(contextText.length) : detokenize(pending);
  }

  function settle(): void {
    context = [...context, ...pending].slice(-CONTEXT_TOKENS);
    contextText = detokenize(context);
    pending = [];
    emitted = 0;
  }

  /** Only a run of broken or replacement characters gets here, and it must not make every further token slower. */
  function shorten(): void {
    context = [];
    contextText = '';
    pending = pending.slice(-PENDING_TOKENS_KEPT);
    emitted = completeLength(pendingText());
  }

  return {
    push(token) {
      pending.push(token);
      const text = pendingText();
      const complete = completeLength(text);
      const shown = text.slice(emitted, complete);
      if (complete === text.length) settle();
      else if (pending.length > PENDING_TOKENS_MAX) shorten();
      else emitted = Math.max(emitted, complete);
      return shown;
    },
  };
}

/** An incomplete character shows as one replacement character at the end; nothing before it can change any more. */
function completeLength(text: string): number {
  return text.endsWith(REPLACEMENT) ? text.length - 1 : text.length;
}
