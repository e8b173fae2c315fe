import type { ServerResponse } from 'node:http';
import { expect, vi } from 'vitest';
import {
  scriptedServer,
  sendChunk,
  sendEvent,
  sendJson,
  type Answer,
  type SeenRequest,
} from './scripted-server.ts';

export const USAGE = {
  prompt_tokens: 3,
  completion_tokens: 2,
  total_tokens: 5,
  prompt_tokens_details: { cached_tokens: 1 },
};
export const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

/** A server with one model, whose chat is scripted. */
export function chatServer(chat: Answer, notice?: string) {
  return scriptedServer((request, response) => {
    if (request.path !== '/v1/models/svc-chat-v1') return chat(request, response);
    sendJson(response, 200, {
      id: 'svc-chat-v1',
      capabilities: { chat_completion: true, streaming: true },
      local: { state: 'ready', ...(notice && { notice }) },
    });
  });
}

export function answer(...texts: string[]): Answer {
  return (_, response) => {
    for (const text of texts) sendChunk(response, text);
    sendChunk(response, '', last);
    sendChunk(response, '', { choices: [], usage: USAGE });
    finish(response);
  };
}

export function finish(response: ServerResponse): void {
  sendEvent(response, '[DONE]');
  response.end();
}

export function chatBodies(seen: readonly SeenRequest[]): Record<string, unknown>[] {
  return seen.filter(({ method }) => method === 'POST').map(({ body }) => body as Record<string, unknown>);
}

export function shows(chat: { screen: () => string }, text: string) {
  return vi.waitFor(() => expect(chat.screen()).toContain(text), 20_000);
}
