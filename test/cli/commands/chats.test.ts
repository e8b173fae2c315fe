/* eslint-disable no-control-regex -- the test looks for control characters */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';
import { chatsOf } from '../../helpers/daemon/saved-chats.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { HOSTILE_TEXTS } from '../../helpers/hostile-texts.ts';

let daemon: TestDaemon;
const askd = (line: string, terminal = false) => runCli(line.split(' '), { home: daemon.home, terminal });

beforeAll(async () => {
  daemon = await openDaemon();
  announce(daemon);
  const chats = await chatsOf(daemon)();
  await chats?.create({
    name: 'trip',
    model: 'small',
    system: 'Be brief.',
    messages: [
      { id: 'q', role: 'user', content: [{ type: 'text', text: 'Where to?' }, PICTURE] },
      { id: 'a', parent: 'q', role: 'assistant', content: 'Old.' },
      { id: 'b', parent: 'q', role: 'assistant', content: 'To **Rome**, by the harbour.' },
    ],
  });
});
afterAll(() => daemon.close());

/** The first 24 bytes of a PNG of 3 by 2 pixels. */
const HEAD = Buffer.from('89504e470d0a1a0a0000000d494844520000000300000002', 'hex').toString('base64');
const PICTURE = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${HEAD}` } };

test('search shows where a word is, and in which conversation', async () => {
  const { stdout } = await askd('chats search HARBOUR', true);
  expect(stdout).toBe('trip (assistant)\n  To **Rome**, by the \u001b[1mharbour\u001b[22m.\n');
  expect((await askd('chats search nowhere')).stdout).toBe('No message has all of these words.\n');
});

test('export writes the shown branch as Markdown, and everything as JSON, readable only by the owner', async () => {
  const { stdout } = await askd('chats export trip');
  expect(stdout).toMatch(
    /^# Where to\?\n\nsmall, 20.*\n\n## System\n\nBe brief.\n\n## You\n\nWhere to\?\n\n\[image 3×2 png\]\n\n## small\n\nTo \*\*Rome\*\*, by the harbour.\n$/,
  );
  const out = join(temporaryFolder(), 'trip.json');
  expect((await askd(`chats export trip --format json --out ${out}`)).stdout).toBe(`trip is in ${out}.\n`);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const whole = JSON.parse(readFileSync(out, 'utf8')) as { messages: unknown[]; current: string };
  expect([whole.messages.length, whole.current]).toEqual([3, 'b']);
});

test('rename gives a conversation another name, which must be unique', async () => {
  const chats = await chatsOf(daemon)();
  await chats?.create({ name: 'one', model: 'm' });
  expect((await askd('chats rename one two')).stdout).toBe('one is now two.\n');
  const taken = await askd('chats rename two trip');
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('askd chats rm trip')]);
});

test('list names a file of an earlier version that could not be imported', async () => {
  const { mkdirSync, writeFileSync } = await import('node:fs');
  mkdirSync(join(daemon.home, 'chats'), { recursive: true });
  writeFileSync(join(daemon.home, 'chats/broken.json'), '{');
  const { stdout, stderr } = await askd('chats list');
  expect(stdout).toMatch(/trip +small +3 messages/);
  expect(stderr).toContain('chats/broken.json is not a readable conversation');
});

test('no text of a conversation can control the terminal', async () => {
  const chats = await chatsOf(daemon)();
  const texts = HOSTILE_TEXTS.map((text) => `zebra \u001b]0;x\u0007\u001b[2J\u009b${text}`);
  const messages = texts.map((content, n) => ({ id: `q${n}`, role: 'user' as const, content }));
  await chats?.create({ name: 'hostile', model: 'm\u001b[2J', title: 'a\u001b[2J', messages });
  for (const line of ['chats search zebra --limit 200', 'chats show hostile', 'chats list']) {
    const { code, stdout } = await askd(line, true);
    expect([code, stdout.replace(/\u001b\[[\d;]*m/g, '')]).toEqual([
      0,
      expect.not.stringMatching(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/),
    ]);
  }
});
