import { llama } from '../../../models/engines/llama.ts';
import type { Session } from '../../../src/runtime/engine.ts';
import { manifestOf } from './manifest.ts';
import { CONTEXT_TOKENS, STREAMS_MAX } from './sides.ts';
import type { OpenModel, StreamReply } from './timing.ts';

/** Our engine as a runner loads it, with nothing between it and the clock. */
export async function openEngine(file: string, threads: number): Promise<OpenModel> {
  const options = { slots: STREAMS_MAX, contextTokens: CONTEXT_TOKENS, threads };
  const session = await llama.load(
    await manifestOf(file, 'chat', CONTEXT_TOKENS),
    options,
    new AbortController().signal,
  );
  return { stream: streamFrom(session), threads: session.description.threads };
}

function streamFrom(session: Session): StreamReply {
  return async ({ prompt, maxTokens }, onTokens, signal) => {
    if (session.chat === undefined) throw new Error('The engine loaded a model that cannot chat');
    const sampling = { temperature: 0, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };
    const messages = [{ role: 'user', content: prompt }] as const;
    let tokens = 0;
    for await (const event of session.chat({ messages, maxTokens, stop: [], sampling }, signal)) {
      if (event.type === 'text') onTokens();
      if (event.type === 'end') tokens = event.completionTokens;
    }
    return tokens;
  };
}
