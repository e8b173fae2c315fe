import { createHash } from 'node:crypto';
import { hasImages, type ChatPrompt } from '../../../../src/runtime/engine.ts';
import type { BuiltPrompt } from './prompt.ts';

/** So many counted prompts may wait for their answers; older ones are built again. */
const KEPT_MAX = 16;

/** A prompt is counted before its request is queued, and need not be rendered and tokenized again for its answer. */
export function createCountedPrompts(build: (prompt: ChatPrompt) => BuiltPrompt) {
  const kept = new Map<string, BuiltPrompt>();

  function keep(key: string, built: BuiltPrompt): void {
    kept.delete(key);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= KEPT_MAX) kept.delete(oldest);
    kept.set(key, built);
  }

  return {
    count: (prompt: ChatPrompt): number => {
      const built = build(prompt);
      const key = keyOf(prompt);
      if (key !== undefined) keep(key, built);
      return built.tokens.length;
    },
    built: (prompt: ChatPrompt): BuiltPrompt => kept.get(keyOf(prompt) ?? '') ?? build(prompt),
  };
}

/** Of all that a prompt is built from. */
function keyOf(prompt: ChatPrompt): string | undefined {
  const { messages, continues, templateArguments, raw, tools, toolChoice, parallelToolCalls } = prompt;
  if (messages.some(hasImages)) return undefined;
  const parts = [messages, continues, templateArguments, raw, tools, toolChoice, parallelToolCalls];
  try {
    const text = JSON.stringify([...parts, prompt.format, prompt.reasoning]);
    return createHash('sha256').update(text).digest('base64');
  } catch {
    // It is nested too deeply to be serialized.
    return undefined;
  }
}
