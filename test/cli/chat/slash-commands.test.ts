import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSlashCommand, SLASH_COMMANDS, type Conversation } from '../../../cli/chat/slash-commands.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

function conversation(): Conversation {
  return {
    options: { model: 'm', stream: true },
    messages: [{ role: 'user', content: 'hi' }],
    over: false,
    folder: join(temporaryFolder(), 'chats'),
  };
}

test('a message is not a command', () => {
  expect(runSlashCommand(conversation(), 'what is 1/2?')).toBeUndefined();
  expect(runSlashCommand(conversation(), '// a comment')).toContain('There is no //');
});

test('/clear forgets what was said, not the settings', () => {
  const talk = conversation();
  runSlashCommand(talk, '/clear');
  expect(talk).toMatchObject({ messages: [], options: { model: 'm' } });
});

test('/system sets a text of many words and lines, and takes it away', () => {
  const talk = conversation();
  runSlashCommand(talk, '/system be kind\nand short');
  expect(talk.options.system).toBe('be kind\nand short');
  runSlashCommand(talk, '/system');
  expect(talk.options.system).toBeUndefined();
});

test('/show shows what is set', () => {
  const talk = conversation();
  talk.options.temperature = 0;
  expect(runSlashCommand(talk, '/show')).toBe('model        m\nmessages     1 message\ntemperature  0');
});

test('/bye ends it', () => {
  const talk = conversation();
  runSlashCommand(talk, '/bye');
  expect(talk.over).toBe(true);
});

test('/? lists every command', () => {
  const list = runSlashCommand(conversation(), '/?');
  for (const { name, summary } of SLASH_COMMANDS)
    expect(list).toMatch(
      new RegExp(
        `${name.replace('?', '\\?')}.*${summary.split(';')[0]}`.replace('(', '\\(').replace(')', '\\)'),
      ),
    );
  expect(runSlashCommand(conversation(), '/nope')).toContain('/?');
});

test('/save keeps a conversation, and /load goes on with it in another', () => {
  const talk = conversation();
  talk.options.system = 'be kind';
  expect(runSlashCommand(talk, '/save plans')).toContain('/load plans');
  expect(statSync(join(talk.folder, 'plans.json')).mode & 0o777).toBe(0o600);
  const later: Conversation = { ...conversation(), folder: talk.folder, messages: [] };
  later.options.model = 'other';
  expect(runSlashCommand(later, '/load')).toBe('Kept: plans');
  expect(runSlashCommand(later, '/load plans')).toBe('plans: 1 message with m.');
  expect(later).toMatchObject({ options: { model: 'm', system: 'be kind' }, messages: talk.messages });
});

test('/save and /load refuse names that lead elsewhere, and files that are damaged', () => {
  const talk = conversation();
  for (const name of ['../plans', '.hidden', 'a/b', ''])
    expect(runSlashCommand(talk, `/save ${name}`)).toContain('Say a name');
  expect(runSlashCommand(talk, '/load ../plans')).toContain('There is no conversation');
  mkdirSync(talk.folder);
  writeFileSync(join(talk.folder, 'broken.json'), '{');
  expect(runSlashCommand(talk, '/load broken')).toContain('is damaged');
  expect(talk.messages).toHaveLength(1);
});

test('/model goes on with another model, and /set changes one setting', () => {
  const talk = conversation();
  runSlashCommand(talk, '/model bigger');
  expect(runSlashCommand(talk, '/set temperature 0.2')).toBe('temperature is 0.2.');
  expect(runSlashCommand(talk, '/set max-tokens 1.5')).toBe(
    'max-tokens is a whole number from 1 to 1048576.',
  );
  expect(runSlashCommand(talk, '/set colour blue')).toContain('There is temperature');
  runSlashCommand(talk, '/set stats on');
  expect(talk.options).toEqual({ model: 'bigger', stream: true, temperature: 0.2, stats: true });
  runSlashCommand(talk, '/set temperature');
  expect(talk.options).not.toHaveProperty('temperature');
});
