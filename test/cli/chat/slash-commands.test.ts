import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSlashCommand, SLASH_COMMANDS, type Conversation } from '../../../cli/chat/slash-commands.ts';
import { createSavedChat, type ChatStore } from '../../../cli/chat/saved-chats.ts';
import { takeContent } from '../../../cli/chat/attach.ts';
import { pictureFile } from '../../helpers/models/image-files.ts';
import { chatsOf } from '../../helpers/daemon/saved-chats.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';

const noStore: ChatStore = async () => undefined;

function conversation(store = noStore): Conversation {
  return {
    options: { model: 'm', stream: true },
    messages: [{ role: 'user', content: 'hi' }],
    over: false,
    saved: createSavedChat(store),
    attachments: { files: [], canSee: async (model) => model === 'eyes' },
    copy: async () => undefined,
  };
}

test('a message is not a command', async () => {
  expect(await runSlashCommand(conversation(), 'what is 1/2?')).toBeUndefined();
  expect(await runSlashCommand(conversation(), '// a comment')).toContain('Unknown command //');
});

test('/clear forgets what was said, not the settings', async () => {
  const talk = conversation();
  await runSlashCommand(talk, '/clear');
  expect(talk).toMatchObject({ messages: [], options: { model: 'm' } });
});

test('/system sets a text of many words and lines, and takes it away', async () => {
  const talk = conversation();
  await runSlashCommand(talk, '/system be kind\nand short');
  expect(talk.options.system).toBe('be kind\nand short');
  await runSlashCommand(talk, '/system');
  expect(talk.options.system).toBeUndefined();
});

test('/show shows what is set', async () => {
  const talk = conversation();
  talk.options.temperature = 0;
  expect(await runSlashCommand(talk, '/show')).toBe('model        m\nmessages     1 message\ntemperature  0');
});

test('/bye ends it', async () => {
  const talk = conversation();
  await runSlashCommand(talk, '/bye');
  expect(talk.over).toBe(true);
});

test('/? fits 80 columns', async () => {
  const list = (await runSlashCommand(conversation(), '/?')) ?? '';
  for (const line of list.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
});

test('/set alone lists what can be set', async () => {
  expect(await runSlashCommand(conversation(), '/set')).toContain('temperature, top-p, max-tokens');
});

test('/? lists every command', async () => {
  const list = await runSlashCommand(conversation(), '/?');
  for (const { name, summary } of SLASH_COMMANDS)
    expect(list).toMatch(
      new RegExp(
        `${name.replace('?', '\\?')}.*${summary.split(';')[0]}`.replace('(', '\\(').replace(')', '\\)'),
      ),
    );
  expect(await runSlashCommand(conversation(), '/nope')).toContain('/?');
});

test('/save keeps a conversation, and /load continues it in another', async () => {
  const store = chatsOf(await startDaemon());
  const talk = conversation(store);
  talk.options.system = 'be kind';
  expect(await runSlashCommand(talk, '/save plans')).toContain('/load plans');
  const later: Conversation = { ...conversation(store), messages: [] };
  later.options.model = 'other';
  expect(await runSlashCommand(later, '/load')).toBe('Saved: plans');
  expect(await runSlashCommand(later, '/load plans')).toBe('plans: 1 message with m.');
  expect(later).toMatchObject({ options: { model: 'm', system: 'be kind' }, messages: talk.messages });
});

test('/save and /load refuse names that cannot be typed, that are taken, and that do not exist', async () => {
  const store = chatsOf(await startDaemon());
  const talk = conversation(store);
  for (const name of ['../plans', '.hidden', 'a/b', ''])
    expect(await runSlashCommand(talk, `/save ${name}`)).toContain('A name may contain');
  expect(await runSlashCommand(talk, '/load ../plans')).toContain('There is no conversation');
  await runSlashCommand(conversation(store), '/save plans');
  expect(await runSlashCommand(talk, '/save plans')).toContain('already a conversation named plans');
  expect(talk.saved.name).toBe('last');
  expect(talk.messages).toHaveLength(1);
});

test('/save of a conversation with a name is a copy, which later messages do not change', async () => {
  const store = chatsOf(await startDaemon());
  const talk = conversation(store);
  await runSlashCommand(talk, '/save plans');
  await runSlashCommand(talk, '/save copy');
  talk.messages.push({ role: 'assistant', content: 'later' });
  await talk.saved.write(talk);
  const chats = await store();
  expect((await chats?.get('plans'))?.messages).toHaveLength(2);
  expect((await chats?.get('copy'))?.messages).toHaveLength(1);
});

test('/save and /load say what to do when no daemon runs', async () => {
  expect(await runSlashCommand(conversation(), '/save plans')).toContain('To fix it: askd up');
  expect(await runSlashCommand(conversation(), '/load')).toContain('To fix it: askd up');
});

test('/model switches to another model, and /set changes one setting', async () => {
  const talk = conversation();
  await runSlashCommand(talk, '/model bigger');
  expect(await runSlashCommand(talk, '/set temperature 0.2')).toBe('temperature is 0.2.');
  expect(await runSlashCommand(talk, '/set max-tokens 1.5')).toBe(
    'max-tokens must be a whole number from 1 to 1048576.',
  );
  expect(await runSlashCommand(talk, '/set colour blue')).toContain('The settings are temperature');
  await runSlashCommand(talk, '/set stats on');
  expect(talk.options).toEqual({ model: 'bigger', stream: true, temperature: 0.2, stats: true });
  await runSlashCommand(talk, '/set temperature');
  expect(talk.options).not.toHaveProperty('temperature');
});

test('/set accepts the forms known from other programs', async () => {
  const talk = conversation();
  for (const typed of [
    'parameter temperature 0.5',
    'parameter num_predict 9',
    'system "be brief"',
    'verbose',
    'think high',
  ])
    await runSlashCommand(talk, `/set ${typed}`);
  await runSlashCommand(talk, '/set format json');
  await runSlashCommand(talk, '/set parameter stop "END"');
  expect(talk.options).toMatchObject({
    ...{ temperature: 0.5, maxTokens: 9, system: 'be brief', stats: true, think: 'high' },
    ...{ format: 'json', stop: ['END'] },
  });
  for (const typed of ['quiet', 'nothink', 'noformat', 'stop', 'system'])
    await runSlashCommand(talk, `/set ${typed}`);
  expect(talk.options).toMatchObject({ stats: false, think: 'off' });
  expect(Object.keys(talk.options)).not.toEqual(expect.arrayContaining(['format']));
  expect(await runSlashCommand(talk, '/set parameter num_ctx 9')).toContain(
    'askd config set model_context_tokens',
  );
  expect(await runSlashCommand(talk, '/set think much')).toContain('off, low, medium, high');
});

test('/image attaches to the next message, for a model with vision', async () => {
  const talk = conversation();
  const file = join(temporaryFolder(), 'a cat.png');
  writeFileSync(file, await pictureFile('red'));
  expect(await runSlashCommand(talk, `/image ${file}`)).toContain(
    'm does not accept images. Switch to a model that does: /model svc-vision-v1',
  );
  await runSlashCommand(talk, '/model eyes');
  expect(await runSlashCommand(talk, '/image')).toContain('No image');
  expect(await runSlashCommand(talk, `/image ${file.replace(' ', '\\ ')}`)).toContain('1 image: a cat.png');
  expect(await runSlashCommand(talk, `/image "${file}"`)).toContain('2 images: a cat.png, a cat.png');
  expect(await runSlashCommand(talk, '/show')).toContain(file);
  expect(takeContent(talk.attachments, 'Which colour?')).toHaveLength(3);
  expect(takeContent(talk.attachments, 'And now?')).toBe('And now?');
  expect(await runSlashCommand(talk, '/image /nothing.png')).toContain('/nothing.png cannot be read');
  await runSlashCommand(talk, `/image '${file}'`);
  expect(await runSlashCommand(talk, '/image none')).toContain('no image');
  expect(talk.attachments.files).toEqual([]);
});
