import { binFile } from '../../../src/base/paths.ts';
import { install } from '../daemon/installation.ts';
import { answer, chatBodies, chatServer } from '../servers/chat-server.ts';
import { sendJson, type Answer } from '../servers/scripted-server.ts';
import { openTerminal } from './terminal.ts';

const SIZE = { columns: 80, rows: 24 };
const MODELS = { object: 'list', data: [{ id: 'svc-chat-v1' }, { id: 'svc-code-v1' }] };

const TOKENIZE = '/v1/tokenize';

/** A word is a token of this server. */
function countWords(body: unknown) {
  const words = (body as { content: string }).content.split(/\s+/).filter(Boolean);
  return { tokens: words.map((_, index) => index), count: words.length };
}

type Options = {
  reply?: Answer;
  env?: Record<string, string>;
  size?: typeof SIZE;
  flags?: string;
  folder?: string;
};

/** `askd chat` on a terminal, with a scripted model, and what of the conversation reached it. */
export async function openConversation({
  reply = answer('Well said.'),
  env = {},
  size = SIZE,
  flags = '',
  folder = '.',
}: Options = {}) {
  const server = await chatServer((request, response) =>
    request.method !== 'POST'
      ? sendJson(response, 200, MODELS)
      : request.path === TOKENIZE
        ? sendJson(response, 200, countWords(request.body))
        : reply(request, response),
  );
  const seen = () => server.seen.filter(({ path }) => path !== TOKENIZE);
  const { environment, home } = install();
  const command = `cd ${folder} && ${process.execPath} ${binFile('askd.js')} chat --host ${server.url} ${flags}`;
  const open = async () => {
    const terminal = openTerminal(command, size, { ...environment, ...env });
    await terminal.shows('>>>');
    return terminal;
  };
  const terminal = await open();
  return {
    terminal,
    home,
    /** Another one, in the same home. */
    open,
    /** The last message of each request. */
    asked: () =>
      chatBodies(seen()).map(
        (body) => (body['messages'] as { role: string; content: string }[]).at(-1)?.content,
      ),
    bodies: () => chatBodies(seen()) as { messages: { role: string; content: string }[] }[],
    leave: async () => {
      terminal.type('\u0004');
      await terminal.shows(/ended with 0[^]* icanon [^]* echo /);
    },
  };
}
