import { Agent, request, type IncomingMessage } from 'node:http';
import type { StreamReply } from './timing.ts';

export type ChatTarget = { baseUrl: string; key: string; model: string };
export type Message = { role: 'system' | 'user' | 'assistant'; content: string };

export type Chunk = {
  choices?: { delta?: { content?: string } }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    completion_tokens_details?: { accepted_prediction_tokens?: number; rejected_prediction_tokens?: number };
  } | null;
  error?: { message: string };
};

/**
 * A client with nothing but node:http, so that the server is what is measured; connections are kept alive, as in
 * SDKs.
 */
export function createChatClient(target: ChatTarget): { stream: StreamReply; close: () => void } {
  const agent = new Agent({ keepAlive: true });
  const stream: StreamReply = async ({ prompt, maxTokens }, onTokens, signal) => {
    let chunks = 0;
    let tokens: number | undefined;
    try {
      for await (const chunk of openStream({
        ...target,
        agent,
        messages: [{ role: 'user', content: prompt }],
        maxTokens,
        signal,
      })) {
        if (chunk.error !== undefined) throw new Error(chunk.error.message);
        if (chunk.choices?.[0]?.delta?.content) {
          chunks++;
          onTokens();
        }
        tokens = chunk.usage?.completion_tokens ?? tokens;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return tokens ?? chunks;
  };
  return { stream, close: () => agent.destroy() };
}

export type StreamOptions = ChatTarget & {
  agent: Agent;
  messages: readonly Message[];
  maxTokens: number;
  temperature?: number;
  /** The constraint on the answer, if there is one. */
  format?: object;
  signal: AbortSignal;
};

export async function* openStream(options: StreamOptions): AsyncGenerator<Chunk> {
  const response = await post(options);
  if (response.statusCode !== 200) {
    const body = (await response.toArray()).join('');
    throw new Error(`${options.baseUrl} answered ${response.statusCode}: ${body}`);
  }
  let text = '';
  for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (text + piece).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data: {')) yield JSON.parse(line.slice('data: '.length)) as Chunk;
    }
  }
}

function post({
  baseUrl,
  key,
  model,
  agent,
  messages,
  maxTokens,
  temperature = 0,
  format,
  signal,
}: StreamOptions): Promise<IncomingMessage> {
  const body = JSON.stringify({
    model,
    messages,
    max_tokens: maxTokens,
    temperature,
    ...(format && { response_format: format }),
    stream: true,
    stream_options: { include_usage: true },
  });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}/chat/completions`, { method: 'POST', headers, agent, signal }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}
