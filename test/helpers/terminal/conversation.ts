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

/** A server with a scripted model, which counts tokens too, and what of the conversation reached it. */
export async function conversationServer(reply: Answer = answer('Well said.')) {
  const server = await chatServer((request, response) =>
    request.method !== 'POST'
      ? sendJson(response, 200, MODELS)
      : request.path === TOKENIZE
        ? sendJson(response, 200, countWords(request.body))
        : reply(request, response),
  );
  const bodies = () =>
    chatBodies(server.seen.filter(({ path }) => path !== TOKENIZE)) as {
      messages: { role: string; content: string }[];
    }[];
  return {
    url: server.url,
    /** The last message of each request. */
    asked: () => bodies().map(({ messages }) => messages.at(-1)?.content),
    bodies,
  };
}

/** `askd chat` on a terminal, with a scripted model, and what of the conversation reached it. */
export async function openConversation({
  reply,
  env = {},
  size = SIZE,
  flags = '',
  folder = '.',
}: Options = {}) {
  const { url, asked, bodies } = await conversationServer(reply);
  const { environment, home } = install();
  const command = `cd ${folder} && ${process.execPath} ${binFile('askd.js')} chat --host ${url} ${flags}`;
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
    asked,
    bodies,
    leave: async () => {
      terminal.type('\u0004');
      await terminal.shows(/ended with 0[^]* icanon [^]* echo /);
    },
  };
}
