import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer } from '../../helpers/servers/chat-server.ts';
import { openConversation } from '../../helpers/terminal/conversation.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const ANSWER = 'Either:\n```ts\nconst one = 1; // first\n```\nor:\n```sh\necho two\necho three\n```\n';
const clipboard = (text: string) => `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`;
const FINISHED = '\u001b]9;askd: svc-chat-v1 has answered\u0007';
const inTmux = (sequence: string) => `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;
const outputOf = (terminal: { output: () => string }) => expect.poll(terminal.output, { timeout: 60_000 });

/** A program that stands in for tmux: it keeps its input, or fails. */
function tmuxIn(folder: string, exitCode: number): Record<string, string> {
  const program = join(folder, 'tmux');
  writeFileSync(
    program,
    `#!/bin/sh\necho "$@" > ${folder}/arguments\ncat > ${folder}/copied\nexit ${exitCode}\n`,
  );
  chmodSync(program, 0o755);
  return { TMUX: '/tmp/tmux,1,0', PATH: `${folder}:${process.env['PATH'] ?? ''}` };
}

describe('/copy', () => {
  test('copies the last answer, or one of its code blocks, which are listed', async () => {
    const { terminal, leave } = await openConversation({ reply: answer(ANSWER) });
    terminal.type('/copy\r');
    await terminal.shows('There is no answer to copy yet.');
    terminal.type('how?\r');
    await terminal.shows(/echo three[^]*tokens/);
    terminal.type('/copy\r');
    await terminal.shows('Copied the answer.');
    await outputOf(terminal).toContain(clipboard(ANSWER.trimEnd()));
    terminal.type('/copy ');
    await terminal.shows(/^> 1 {2}ts {2}const one = 1; \/\/ first\n {2}2 {2}sh {2}echo two$/m);
    terminal.type('2\r');
    await terminal.shows('Copied code block 2, 2 lines.');
    await outputOf(terminal).toContain(clipboard('echo two\necho three'));
    terminal.type('/copy 3\r');
    await terminal.shows('The last answer has 2 code blocks. To copy the first: /copy 1');
    await leave();
  }, 120_000);

  test('inside tmux it is a buffer of tmux, or passed through where that fails', async () => {
    const folder = temporaryFolder();
    const { terminal, leave } = await openConversation({
      reply: answer('All of it.'),
      env: tmuxIn(folder, 0),
    });
    terminal.type('how?\r/copy\r');
    await terminal.shows('Copied the answer.');
    expect(readFileSync(join(folder, 'copied'), 'utf8')).toBe('All of it.');
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).toBe('load-buffer -w -\n');
    expect(terminal.output()).not.toContain(']52;');
    await leave();

    const older = await openConversation({ reply: answer('All of it.'), env: tmuxIn(temporaryFolder(), 1) });
    older.terminal.type('how?\r/copy\r');
    await older.terminal.shows('Copied the answer.');
    await outputOf(older.terminal).toContain(inTmux(clipboard('All of it.')));
    await older.leave();
  }, 120_000);
});

describe('the end of an answer', () => {
  test('causes a notification and the bell if the answer took as long as the setting says', async () => {
    const { terminal, leave } = await openConversation({ env: { ASKD_CHAT_NOTIFY_AFTER: '0' } });
    terminal.type('hello\r');
    await outputOf(terminal).toContain(`${FINISHED}\u0007`);
    await leave();

    const plain = await openConversation({ env: { ASKD_CHAT_NOTIFY_AFTER: '0' }, flags: '--plain' });
    plain.terminal.type('hello\r');
    await outputOf(plain.terminal).toContain('\u0007');
    expect(plain.terminal.output()).not.toContain(']9;');
    await plain.leave();
  }, 120_000);

  test('is quiet if it came sooner, and inside tmux reaches the terminal', async () => {
    const { terminal, leave } = await openConversation({ env: { ASKD_CHAT_NOTIFY_AFTER: 'forever' } });
    terminal.type('hello\r');
    await terminal.shows(/Well said\.\n>>>[^]*5 tokens/);
    await leave();
    expect(terminal.output()).not.toContain('\u0007');

    const env = { ...tmuxIn(temporaryFolder(), 0), ASKD_CHAT_NOTIFY_AFTER: '0' };
    const inside = await openConversation({ env });
    inside.terminal.type('hello\r');
    await outputOf(inside.terminal).toContain(inTmux(FINISHED));
    await inside.leave();
  }, 120_000);
});

describe('the theme', () => {
  const LIGHT_KEYWORD = '\u001b[38;5;90mconst';
  const CODE = /\u001b\[[\d;]*m/; // eslint-disable-line no-control-regex -- it is what is looked for

  test('comes from the flag or the setting, or is changed in the conversation', async () => {
    const { terminal, leave } = await openConversation({ reply: answer(ANSWER), flags: '--theme light' });
    terminal.type('how?\r');
    await outputOf(terminal).toContain(LIGHT_KEYWORD);
    terminal.type('/theme mono\r');
    await terminal.shows('The theme is mono. To keep it: askd config set chat_theme mono');
    terminal.type('and now?\r');
    await outputOf(terminal).toContain('\u001b[1mconst');
    terminal.type('/theme pink\r');
    await terminal.shows('The themes are terminal, dark, light, mono: /theme light');
    await leave();

    const set = await openConversation({ reply: answer(ANSWER), env: { ASKD_CHAT_THEME: 'light' } });
    set.terminal.type('how?\r');
    await outputOf(set.terminal).toContain(LIGHT_KEYWORD);
    await set.leave();
  }, 120_000);

  test('has no effect with NO_COLOR', async () => {
    const { terminal, leave } = await openConversation({
      reply: answer(ANSWER),
      env: { NO_COLOR: '1' },
      flags: '--theme dark',
    });
    terminal.type('how?\r');
    await terminal.shows(/echo three[^]*tokens/);
    await leave();
    expect(terminal.output()).not.toMatch(CODE);
  }, 120_000);
});
