import { expect, test } from 'vitest';
import { runSlashCommand, SLASH_COMMANDS, type Conversation } from '../../../cli/chat/slash-commands.ts';

function conversation(): Conversation {
  return { options: { model: 'm', stream: true }, messages: [{ role: 'user', content: 'hi' }], over: false };
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
