import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { otherPrograms } from '../../helpers/models/other-programs.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { firstStart } from '../../helpers/terminal/first-start.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const SCREEN = /Recommended for this computer[^]*Enter +download it[^]*Ctrl-C +leave/;
const PROMPT = /^>>>/m;

test('Enter downloads while the starter chats, and the larger model answers once it is there', async () => {
  const { hub, open, pulls } = await firstStart();
  hub.holdAfter(0);
  const terminal = open();
  await terminal.shows(SCREEN);
  expect(terminal.text()).toMatch(/chat +Talker 1B +[\d.]+ KB +[\d.]+ +MIT/);
  expect(await pulls()).toEqual([]);
  terminal.type('\r');
  await terminal.shows(/Downloading Talker 1B .* in the background[^]*^>>>/m);
  terminal.type('What is 2 + 3?\r');
  await terminal.shows(/2 \+ 3 = 5\n+>>>\n(?!Esc stops)/);
  expect(terminal.text()).not.toMatch(/The larger model|is ready/);
  expect(terminal.text()).toMatch(/Downloading Talker 1B: 0% of [\d.]+ KB/);

  hub.holdAfter(Infinity);
  await expect.poll(async () => (await pulls())[0]?.state, { timeout: 60_000 }).toBe('done');
  terminal.type('And now?\r');
  await terminal.shows('The larger model says so.');
  await terminal.shows('Talker 1B is ready and answers from now on.');
  terminal.type('Still?\r');
  await terminal.shows(/(The larger model says so\.[^]*){2}/);
  expect(terminal.text().match(/is ready/g)).toHaveLength(1);
  terminal.type('/bye\r');
  await terminal.shows('ended with 0');
}, 180_000);

test('s skips: the starter chats and nothing is downloaded', async () => {
  const { open, pulls } = await firstStart();
  const terminal = open();
  await terminal.shows(SCREEN);
  // Keys that are not offered do nothing, including arrow keys.
  terminal.type('\u001b[A');
  terminal.type('xs');
  await terminal.shows(PROMPT);
  expect(await pulls()).toEqual([]);
  terminal.type('/bye\r');
  await terminal.shows('ended with 0');
}, 120_000);

test('Ctrl-C leaves a terminal as it was and an askd that works', async () => {
  const { open, pulls } = await firstStart();
  const terminal = open();
  await terminal.shows(SCREEN);
  terminal.type('\u0003');
  await terminal.shows(/askd chat starts a chat[^]*ended with 130/);
  await expect.poll(terminal.output, { timeout: 20_000 }).toMatch(/ icanon [^]* echo /);
  expect(await pulls()).toEqual([]);
  const later = open('status');
  await later.shows(/ended with 0/);
}, 120_000);

test('m opens more choices, and they lead to a chat', async () => {
  const { daemon, open } = await firstStart();
  const terminal = open();
  await terminal.shows(SCREEN);
  terminal.type('m');
  await terminal.shows('What next?');
  terminal.type('account\r');
  await terminal.shows('How will you use askd?');
  terminal.type('hosted\r');
  await terminal.shows(/has the profile hosted[^]*What next\?/);
  terminal.type('models\r');
  await terminal.shows(/Which one\?[^]*svc-chat-v1: Talker 1B/);
  terminal.type('none\r');
  await terminal.shows(/(What next\?[^]*){3}/);
  terminal.type('\r');
  await terminal.shows(PROMPT);
  expect((await daemon.call('GET', '/api/account/tier')).json()).toMatchObject({ profile: 'hosted' });
}, 120_000);

test("Ollama's models and agents on the PATH are found, and pressing a adopts the models", async () => {
  const computer = temporaryFolder();
  const programs = otherPrograms(computer);
  programs.ollama('llama3.2:3b', { model: (await scriptedModel('From Ollama.')).path });
  const agent = join(computer, 'aider');
  writeFileSync(agent, '#!/bin/sh\n');
  chmodSync(agent, 0o755);
  const path = [computer, process.env['PATH']].join(delimiter);
  const { open, pulls } = await firstStart({ env: programs.env, path });
  const terminal = open();
  await terminal.shows(/Models +1 model of Ollama[^]*Agents +aider: askd launch aider[^]*^ {2}a +use the/m);
  terminal.type('a');
  await terminal.shows(/svc-chat-v1 is now llama3\.2:3b[^]*^>>>/m);
  terminal.type('Hello\r');
  await terminal.shows('From Ollama.');
  expect(await pulls()).toEqual([]);
}, 120_000);

test('without a terminal, and in CI, the help is shown and nobody is asked', async () => {
  const { open, pulls } = await firstStart();
  const piped = open('< /dev/null | cat');
  await piped.shows(/askd models[^]*ended with 0/);
  const ci = open('', { CI: 'true' });
  await ci.shows(/askd models[^]*ended with 0/);
  expect(piped.output() + ci.output()).not.toContain('Welcome');
  expect(await pulls()).toEqual([]);
}, 60_000);
