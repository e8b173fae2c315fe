import type { ServerResponse } from 'node:http';
import { scriptedServer, sendChunk, sendEvent } from '../servers/scripted-server.ts';
import type { CallKind, Script } from './scripted-chat.ts';

type Body = { stream?: boolean; messages: { content: string }[] };

/**
 * A model server whose model is a script, so that the whole daemon can be tested: the prompt tells what kind of call
 * it is.
 */
export async function upstreamReader(script: Script) {
  return scriptedServer(async (request, response) => {
    const { messages } = request.body as Body;
    const prompt = messages.map(({ content }) => content).join('\n\n');
    const said = await script({
      kind: kindOf(prompt),
      prompt,
      schema: schemaOf(prompt),
      signal: AbortSignal.timeout(60_000),
    });
    sendAnswer(response, typeof said === 'string' ? said : said.text, prompt);
  });
}

function sendAnswer(response: ServerResponse, text: string, prompt: string): void {
  sendChunk(response, text);
  const end = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
  sendEvent(response, { ...end, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  const usage = {
    prompt_tokens: Math.ceil(prompt.length / 4),
    completion_tokens: Math.ceil(text.length / 4),
  };
  sendEvent(response, {
    ...end,
    choices: [],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  });
  sendEvent(response, '[DONE]');
  response.end();
}

function kindOf(prompt: string): CallKind {
  if (prompt.includes('first a short thought')) return 'decide';
  if (prompt.includes('short search queries')) return 'queries';
  if (prompt.includes('You collect facts')) return 'facts';
  if (prompt.includes('You rewrite the last question')) return 'standalone';
  if (prompt.includes('JavaScript program and nothing else')) return 'code';
  return prompt.includes('from the given facts alone') ? 'answer' : 'chat';
}

/** The listed actions are the allowed ones. */
function schemaOf(prompt: string) {
  const actions = Array.from(
    prompt.matchAll(/^(search|read|docs|calculate|code|answer): /gm),
    ([, name]) => name,
  );
  return { oneOf: actions.map((name) => ({ properties: { action: { const: name } } })) };
}
