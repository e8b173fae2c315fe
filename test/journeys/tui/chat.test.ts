import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { finish, last } from '../../helpers/servers/chat-server.ts';
import { install, type Installation } from '../../helpers/daemon/installation.ts';
import { scriptedServer, sendChunk, type SeenRequest } from '../../helpers/servers/scripted-server.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { openTerminal, type Terminal } from '../../helpers/terminal/terminal.ts';

const MCP_SERVER = join(import.meta.dirname, '../../helpers/servers/mcp/hostile-server.js');
const UP = '\u001b[A';
const CTRL_A = '\u0001';
const ENTER = '\r';
const ALT_ENTER = '\u001b\r';
const ESC = '\u001b';

/**
 * Answers with the question and how often it was asked; `endless` never ends, `think` reasons first, `write` calls a
 * tool, and `change` changes two files.
 */
async function addModel({ askd }: Pick<Installation, 'askd'>) {
  const asked = new Map<string, number>();
  const server = await scriptedServer((request, response) => {
    const question = lastQuestion(request);
    const count = (asked.get(question) ?? 0) + 1;
    asked.set(question, count);
    const choice = (delta: object) =>
      sendChunk(response, '', { choices: [{ index: 0, delta, finish_reason: null }] });
    if (question.includes('think'))
      choice({ reasoning_content: 'Seven words are thought about this question.' });
    const calls = hasResult(request) ? [] : callsFor(question);
    if (calls.length > 0) {
      choice({ tool_calls: calls });
      sendChunk(response, '', { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
      return finish(response);
    }
    // A word is shown when it is complete.
    sendChunk(response, `**Answer** ${count} to ${question} `);
    if (question.includes('endless')) return;
    sendChunk(response, '', last);
    finish(response);
  });
  const add = ['upstream', 'add', 'scripted', '--url', `${server.url}/v1`, '--model', 'scripted'];
  expect(await askd([...add, '--task', 'chat'])).toMatchObject({ exitCode: 0 });
}

function callsFor(question: string) {
  const call = (index: number, name: string, given: object) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(given) },
  });
  if (question.includes('write')) return [call(0, 'box__write', { text: 'a note' })];
  if (!question.includes('change')) return [];
  return [
    call(0, 'edit_file', { path: 'a.txt', old_text: 'two', new_text: 'second' }),
    call(1, 'write_file', { path: 'b.txt', content: 'new\n' }),
  ];
}

function hasResult({ body }: SeenRequest): boolean {
  return JSON.stringify(body).includes('"role":"tool"');
}

function lastQuestion({ body }: SeenRequest): string {
  const { messages = [] } = (body ?? {}) as { messages?: { role: string; content: unknown }[] };
  return String(messages.findLast(({ role }) => role === 'user')?.content);
}

/** The answer has arrived as a whole. */
async function complete(terminal: Terminal): Promise<void> {
  await expect.poll(terminal.text, { timeout: 60_000 }).not.toMatch(/ (waiting|answering)$/m);
}

/** Esc stops an arriving answer, so it leaves the line only after that. */
async function leave(terminal: Terminal): Promise<void> {
  await complete(terminal);
  terminal.type(ESC);
  await terminal.shows('> i types a message');
}

async function openChat({ environment }: Installation, size = { columns: 80, rows: 24 }, flags = '') {
  const terminal = openTerminal(`${process.execPath} ${binFile('askd.js')} tui${flags}`, size, environment);
  await terminal.shows(/\[1 Chat\].*up /);
  terminal.type('m');
  await terminal.shows('Choose a model');
  terminal.type('scrptd');
  await terminal.shows(/▸ scripted/);
  terminal.type(ENTER);
  await terminal.shows('The next answer comes from scripted');
  return terminal;
}

test('an input history that cannot be saved is said on the dashboard, and the chat goes on', async () => {
  const installation = install();
  await installation.askd(['up']);
  await addModel(installation);
  const terminal = await openChat(installation, { columns: 120, rows: 24 });
  mkdirSync(join(installation.home, 'chat-history'));
  terminal.type(`ione${ENTER}`);
  await terminal.shows('Answer 1 to one');
  await expect
    .poll(terminal.output, { timeout: 60_000 })
    .toContain('The input history cannot be saved (illegal operation on a directory)');
  terminal.type(`two${ENTER}`);
  await terminal.shows('Answer 1 to two');
  await leave(terminal);
  terminal.type('q');
  await terminal.shows('ended with 0');
  await installation.askd(['down']);
}, 120_000);

test('a person chats on the dashboard: thoughts, a stop, another screen meanwhile, and the same chats outside', async () => {
  const installation = install();
  const { askd } = installation;
  await askd(['up']);
  await addModel(installation);
  const terminal = await openChat(installation);

  terminal.type('i');
  await terminal.shows(/^> █/m);
  terminal.type('think of harbours');
  await terminal.shows('think of harbours█');
  terminal.type(ALT_ENTER);
  terminal.type('and boats');
  await terminal.shows(/> think of harbours\n {2}and boats█/);
  terminal.type(ENTER);
  await terminal.shows(/You\nthink of harbours\nand boats/);
  await terminal.shows(/scripted\n▸ thoughts, 7 words\nAnswer 1 to think of harbours/);
  await complete(terminal);

  terminal.type(`endless${ENTER}`);
  await terminal.shows('Answer 1 to endless');
  terminal.type(ESC);
  await leave(terminal);
  await terminal.shows('Answer 1 to endless');
  terminal.type('t');
  await terminal.shows('▾ thoughts, 7 words\nSeven words are thought about');

  terminal.type('i');
  await terminal.shows(/^> █/m);
  terminal.type(`more endless words${ENTER}`);
  await terminal.shows('Answer 1 to more endless');
  terminal.type(`what waits${ENTER}`);
  await terminal.shows(/queued: what waits\n> █/);
  terminal.type(`what waits longer${ENTER}`);
  await terminal.shows(/queued: what waits\nqueued: what waits longer\n> █/);
  terminal.type(ESC);
  await terminal.shows('Enter sends what waits, Up edits it');
  terminal.type(UP);
  await terminal.shows(/queued: what waits\nEnter sends what waits, Up edits it\n> what waits longer█/);
  terminal.type(`${CTRL_A}say ${ENTER}`);
  await terminal.shows(/Answer 1 to say what waits longer[^]*Answer 1 to what waits\n/);
  await complete(terminal);
  const { chats } = (await askd(['chats', 'list', '--json'])).json<{ chats: { name: string }[] }>();
  const shown = await askd(['chats', 'show', chats[0]?.name ?? '']);
  expect(shown.stdout).toContain('>>> endless\n**Answer** 1 to endless');

  terminal.type(ESC);
  await terminal.shows('> i types a message');
  terminal.type('q');
  await terminal.shows('ended with 0');
});

test('a message is edited, answered again and found, and a tool runs when its call is approved', async () => {
  const installation = install();
  const { askd } = installation;
  await askd(['up']);
  await addModel(installation);
  const program = ['--', process.execPath, MCP_SERVER];
  expect(await askd(['mcp', 'add', 'box', ...program])).toMatchObject({ exitCode: 0 });
  const terminal = await openChat(installation, { columns: 120, rows: 40 });

  terminal.type('i');
  await terminal.shows(/> █/);
  terminal.type(`Where are lighthouses?${ENTER}`);
  await terminal.shows('Answer 1 to Where are lighthouses?');
  await leave(terminal);

  terminal.type('e');
  await terminal.shows('> Where are lighthouses?█');
  terminal.type(`\u0015Where are windmills?${ENTER}`);
  await terminal.shows('Answer 1 to Where are windmills?');
  await terminal.shows('branch 2 of 2');
  await leave(terminal);
  terminal.type('r');
  await terminal.shows('Answer 2 to Where are windmills?');
  await complete(terminal);

  terminal.type('/');
  await terminal.shows('Search all conversations');
  terminal.type(`lighthouses${ENTER}`);
  await terminal.shows('Messages with lighthouses');
  terminal.type('(user)');
  await terminal.shows(/▸ where-are-lighthouses \(user\) {2}Where are lighthouses/);
  terminal.type(ENTER);
  await terminal.shows('▸ You  branch 1 of 2');
  await terminal.shows('Answer 1 to Where are lighthouses?');
  terminal.type('b');
  await terminal.shows('Choose a branch');
  terminal.type(`windmills${ENTER}`);
  await terminal.shows('Answer 2 to Where are windmills?');

  terminal.type('T');
  await terminal.shows('Tools for the model');
  terminal.type(' ');
  await terminal.shows('[x] box');
  terminal.type(ENTER);
  await terminal.shows('The model may call tools of box');
  for (const [key, result] of [
    ['d', 'Error: the user did not allow this call.'],
    ['a', 'wrote a note'],
  ] as const) {
    terminal.type('n');
    await terminal.shows(/> █/);
    terminal.type(`write with ${key}${ENTER}`);
    await terminal.shows('box: write {"text":"a note"}');
    terminal.type(ESC);
    await terminal.shows('> i types a message');
    terminal.type(key);
    await terminal.shows(`Answer 2 to write with ${key}`);
    await terminal.shows(`▸ result: ${result}`);
    await complete(terminal);
  }
  terminal.type('q');
  await terminal.shows('ended with 0');
  const { stdout } = await askd(['chats', 'show', 'write-with-a']);
  expect(stdout).toContain('wrote a note\n**Answer** 2 to write with a');
});

test('changes of files are shown one by one, and only what is accepted is written', async () => {
  const installation = install();
  await installation.askd(['up']);
  await addModel(installation);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
  const terminal = await openChat(installation, { columns: 120, rows: 40 }, ` --folder ${folder}`);
  terminal.type('i');
  await terminal.shows(/> █/);
  terminal.type(`change them${ENTER}`);
  await terminal.shows(/Change a.txt[^]*-two[^]*\+second[^]*Write it\? a accept, d deny/);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  terminal.type(ESC);
  await terminal.shows('> i types a message');
  terminal.type('a');
  await terminal.shows(/Create b.txt[^]*\+new/);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\nsecond\n');
  terminal.type('d');
  await terminal.shows('Answer 2 to change them');
  await complete(terminal);
  expect(existsSync(join(folder, 'b.txt'))).toBe(false);
  terminal.type('q');
  await terminal.shows('ended with 0');
});
