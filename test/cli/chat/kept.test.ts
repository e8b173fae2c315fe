import { describe, expect, test, vi } from 'vitest';
import { lineTo } from '../../../cli/chat/branches.ts';
import { record } from '../../../cli/chat/recording.ts';
import { createSavedChat } from '../../../cli/chat/saved-chats.ts';
import { announce, runCli, startCli } from '../../helpers/terminal/cli.ts';
import { answer, chatBodies, chatServer, finish, last, shows } from '../../helpers/servers/chat-server.ts';
import { chatsOf } from '../../helpers/daemon/saved-chats.ts';
import { sendChunk } from '../../helpers/servers/scripted-server.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';

/** A home whose daemon runs: conversations are kept there, whichever server answers. */
async function homeWithDaemon(): Promise<string> {
  const daemon = await startDaemon();
  announce(daemon);
  return daemon.home;
}

describe('a conversation that is kept', () => {
  test('continues with --session, from prompt to prompt and on the terminal', async () => {
    const server = await chatServer(answer('Rome', '.'));
    const home = await homeWithDaemon();
    const ask = (...args: string[]) => runCli(['chat', ...args, '--host', server.url], { home });
    await ask('--session', 'trip', '-s', 'be brief', '-m', 'small', 'Where to?');
    await ask('--session', 'trip', 'Why?');
    const chat = startCli(['chat', '-c', '--host', server.url], { home });
    await shows(chat, '>>> ');
    expect(chat.written().stderr).toContain('small · trip, 4 messages so far');
    chat.type('When?\r');
    await shows(chat, 'Rome.');
    chat.type('/bye\r');
    await chat.exit;
    const said = (text: string) => [
      { role: 'user', content: text },
      { role: 'assistant', content: 'Rome.' },
    ];
    expect(chatBodies(server.seen)[2]).toMatchObject({
      model: 'small',
      messages: [
        { role: 'system', content: 'be brief' },
        ...said('Where to?'),
        ...said('Why?'),
        said('When?')[0],
      ],
    });
    const shown = await runCli(['chats', 'show', 'trip'], { home });
    expect(shown.stdout).toBe('>>> Where to?\nRome.\n>>> Why?\nRome.\n>>> When?\nRome.\n');
    const list = await runCli(['chats', 'list'], { home });
    expect(list.stdout).toMatch(/trip +small +6 messages/);
    await runCli(['chats', 'rm', 'trip'], { home });
    expect((await runCli(['chats', 'show', 'trip'], { home })).code).toBe(5);
    expect((await ask('-c', 'more')).code).toBe(5);
    expect((await ask('--session', '../x', 'more')).code).toBe(2);
  });

  test('without a name is the last one', async () => {
    const server = await chatServer(answer('ok'));
    const home = await homeWithDaemon();
    const chat = startCli(['chat', '--host', server.url], { home });
    await shows(chat, '>>> ');
    chat.type('one\r');
    await shows(chat, 'ok');
    chat.type('\u0004');
    await chat.exit;
    await runCli(['chat', '-c', 'two', '--host', server.url], { home });
    expect(chatBodies(server.seen)[1]?.['messages']).toHaveLength(3);
  });
});

test('has the part of an arriving reply that was received so far', async () => {
  const daemon = await startDaemon();
  announce(daemon);
  const { home } = daemon;
  let finishAnswer = () => {};
  const server = await chatServer((_, response) => {
    sendChunk(response, 'It begins');
    finishAnswer = () => {
      sendChunk(response, ' and ends.');
      sendChunk(response, '', last);
      finish(response);
    };
  });
  const chat = startCli(['chat', '--host', server.url], { home });
  await shows(chat, '>>> ');
  chat.type('Tell\r');
  await shows(chat, 'It');
  const chats = await chatsOf(daemon)();
  const texts = async () => (await chats?.get('last'))?.messages.map(({ content }) => content);
  await vi.waitFor(async () => expect(await texts()).toEqual(['Tell', 'It begins']), 20_000);
  finishAnswer();
  await vi.waitFor(async () => expect(await texts()).toEqual(['Tell', 'It begins and ends.']), 20_000);
  chat.type('\u0004');
  await chat.exit;
});

test('two without a name are both kept, and last is the later one', async () => {
  const server = await chatServer(answer('ok'));
  const home = await homeWithDaemon();
  for (const text of ['first of all', 'second']) {
    const chat = startCli(['chat', '--host', server.url], { home });
    await shows(chat, '>>> ');
    chat.type(`${text}\r`);
    await shows(chat, 'ok');
    chat.type('\u0004');
    await chat.exit;
  }
  expect((await runCli(['chats', 'show', 'last'], { home })).stdout).toContain('>>> second');
  expect((await runCli(['chats', 'show', 'first-of-all'], { home })).stdout).toContain('>>> first of all');
});

test('without a daemon on this machine a chat with another one is not kept, and says so', async () => {
  const server = await chatServer(answer('ok'));
  const chat = startCli(['chat', '--host', server.url]);
  await shows(chat, '>>> ');
  expect(chat.written().stderr.replace(/\s+/g, ' ')).toContain(
    'not kept, because no daemon runs on this machine',
  );
  chat.type('hi\r');
  await shows(chat, 'ok');
  chat.type('\u0004');
  expect(await chat.exit).toBe(0);
});

describe('markdown', () => {
  const text = '**Yes**: `askd`';

  test('is styled on a terminal, and printed as it is everywhere else', async () => {
    const server = await chatServer(answer('**Ye', 's**: `as', 'kd`'));
    const ask = async (flags: string[], terminal = true, env = {}) =>
      (await runCli(['chat', 'hi', ...flags, '--host', server.url], { terminal, env })).stdout;
    expect(await ask([])).toBe('\u001b[1mYes\u001b[0m: \u001b[36maskd\u001b[0m\n');
    expect(await ask([], false)).toBe(`${text}\n`);
    expect(await ask(['--plain'])).toBe(`${text}\n`);
    expect(await ask(['--no-color'])).toBe(`${text}\n`);
    expect(await ask([], true, { NO_COLOR: '1' })).toBe(`${text}\n`);
    expect(await ask(['--format', 'json'])).toBe(`${text}\n`);
  });
});

test('the calls of tools and their results are kept between the question and the answer', async () => {
  const store = chatsOf(await startDaemon());
  const talk = { options: { model: 'm', stream: true }, messages: [], saved: createSavedChat(store) };
  const note = (text: string) => expect.fail(text);
  const recording = record(talk, { role: 'user', content: 'When?' }, { note });
  recording.text('I look. ');
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'clock', arguments: '{}' } };
  await recording.message({ role: 'assistant', content: 'I look. ', tool_calls: [call] });
  await recording.message({ role: 'tool', tool_call_id: 'call_1', content: 'noon' });
  recording.text('At noon.');
  await recording.end({ content: 'At noon.', reasoning: '', model: 'm' });
  const whole = [
    { role: 'user', content: 'When?' },
    { role: 'assistant', content: 'I look. ', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
    { role: 'assistant', content: 'At noon.' },
  ];
  expect(talk.messages).toEqual(whole);
  const chat = await (await store())?.get('last');
  expect(chat && lineTo(chat.messages, chat.current)).toMatchObject(whole);
});
