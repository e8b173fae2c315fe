import { getLlama, LlamaChatSession } from 'node-llama-cpp';
import { CONTEXT_TOKENS, STREAMS_MAX } from './sides.ts';
import type { OpenModel, StreamReply } from './timing.ts';

/**
 * node-llama-cpp with the settings it chooses. Three things differ from the defaults, so that all sides do the same
 * work: room for all streams, the length of their contexts, and no system prompt of half a thousand tokens.
 */
export async function openDefaults(file: string): Promise<OpenModel> {
  const llama = await getLlama();
  const model = await llama.loadModel({ modelPath: file });
  const context = await model.createContext({ sequences: STREAMS_MAX, contextSize: CONTEXT_TOKENS });
  const newSession = () => new LlamaChatSession({ contextSequence: context.getSequence(), systemPrompt: '' });
  const sessions = Array.from({ length: STREAMS_MAX }, newSession);
  const stream: StreamReply = async ({ prompt, maxTokens, place }, onTokens, signal) => {
    const session = sessions[place];
    if (session === undefined) throw new Error(`There are ${STREAMS_MAX} places, and no place ${place}`);
    session.resetChatHistory();
    let count = 0;
    const onToken = (tokens: unknown[]) => {
      count += tokens.length;
      onTokens();
    };
    await session.prompt(prompt, { maxTokens, onToken, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    return count;
  };
  return { stream, threads: context.idealThreads };
}
