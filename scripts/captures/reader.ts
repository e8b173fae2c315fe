import { createServer, type IncomingMessage } from 'node:http';

/**
 * What a larger model would say about the notes, since the starter knows nothing about bridges. Keyed by a part of
 * its instructions.
 */
const ANSWERS: readonly (readonly [instruction: string, answer: string])[] = [
  [
    'short search queries',
    JSON.stringify({ queries: ['harbour bridge opened', 'harbour bridge designed by'] }),
  ],
  [
    'You collect facts',
    JSON.stringify({
      facts: [
        {
          quote: 'The harbour bridge was opened on 4 May 1931.',
          fact: 'The harbour bridge was opened on 4 May 1931.',
        },
        {
          quote: 'She designed the harbour bridge and the covered market.',
          fact: 'Clara Holm designed the harbour bridge.',
        },
        {
          quote: 'The last one sailed in the summer of 1931.',
          fact: 'The last ferry across the Mira sailed in the summer of 1931.',
        },
      ],
    }),
  ],
  [
    'first a short thought',
    JSON.stringify({ thought: 'The facts are enough.', action: 'answer', confidence: 'full' }),
  ],
  [
    'from the given facts alone',
    'The harbour bridge was opened on 4 May 1931 [1]. Clara Holm designed the harbour bridge [2].\n\n' +
      'It ended the ferries: the last ferry across the Mira sailed in the summer of 1931 [3].',
  ],
];

/** An OpenAI-style model server with these answers, for pictures. */
export const reader = createServer((request, response) => {
  void bodyOf(request).then((prompt) => {
    const [, text = 'Hello.'] = ANSWERS.find(([instruction]) => prompt.includes(instruction)) ?? [];
    const chunk = (rest: object) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, ...rest })}\n\n`,
      );
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    chunk({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] });
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    const [prompts, answers] = [Math.ceil(prompt.length / 4), Math.ceil(text.length / 4)];
    const usage = { prompt_tokens: prompts, completion_tokens: answers, total_tokens: prompts + answers };
    chunk({ choices: [], usage });
    response.end('data: [DONE]\n\n');
  });
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
