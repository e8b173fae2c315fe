import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { binFile } from '../../../src/base/paths.ts';
import { install } from '../daemon/installation.ts';
import { answer, chatBodies, chatServer } from '../servers/chat-server.ts';
import { sendJson, type Answer } from '../servers/scripted-server.ts';
import { temporaryFolder } from '../temporary.ts';
import { openTerminal, type Terminal } from './terminal.ts';

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
  /** Typed while the chat has not started yet. */
  ahead?: string;
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
  ahead = '',
  env = {},
  size = SIZE,
  flags = '',
  folder = '.',
}: Options = {}) {
  const { url, asked, bodies } = await conversationServer(reply);
  const { environment, home } = install();
  const command = `cd ${folder} && ${process.execPath} ${binFile('askd.js')} chat --host ${url} ${flags}`;
  const open = async (typed = '') => {
    const waiting = typed === '' ? undefined : await waitUntilTyped(typed);
    const waits = waiting ? `${waiting.command} && ` : '';
    const terminal = openTerminal(waits + command, size, { ...environment, ...env });
    await waiting?.type(terminal);
    await terminal.shows('>>>');
    return terminal;
  };
  const terminal = await open(ahead);
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

/** A command that ends when the terminal has taken what is typed, so that the next one finds it. */
async function waitUntilTyped(typed: string) {
  const gate = join(temporaryFolder(), 'gate');
  await execa('mkfifo', [gate]);
  return {
    command: `cat ${gate}`,
    async type(terminal: Terminal): Promise<void> {
      terminal.type(typed);
      await terminal.shows(typed.split('\r').at(-1) ?? '');
      await writeFile(gate, '');
    },
  };
}
