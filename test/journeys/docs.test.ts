import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blocksOf, PAGES, ROOT } from '../helpers/docs/pages.ts';
import { canRun, openReader, type Reader } from '../helpers/docs/reader.ts';
import { openReceiver } from '../helpers/servers/receiver.ts';
import { answer, chatServer } from '../helpers/servers/chat-server.ts';

/** What a page assumes: files, models, and servers at the addresses it names. */
type Given = (reader: Reader) => Promise<Record<string, string> | void>;

const GIVEN: Readonly<Record<string, Given>> = {
  'docs/agent.md': async ({ folder }) => {
    await mkdir(join(folder, 'notes'));
    await writeFile(join(folder, 'notes/bridge.md'), 'The harbour bridge was opened in 1931.\n');
  },
  'docs/cli.md': ({ folder }) =>
    writeFile(
      join(folder, 'person.json'),
      '{"type":"object","properties":{"name":{"type":"string","maxLength":40}},"required":["name"]}',
    ),
  'docs/getting-started.md': ({ folder }) => copyFile(modelFile, join(folder, 'model.gguf')),
  'docs/models-and-memory.md': async ({ askd }) => {
    await askd(['import', modelFile, '--id', 'my-model', '--no-check']);
  },
  'docs/scaling-out.md': async () => {
    const server = await chatServer(answer('Hello.'));
    return { 'http://ray-head:8000': server.url };
  },
  'docs/webhooks.md': async () => {
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    return { 'https://example.com/hook': receiver.url };
  },
};

/** What the blocks of a page must print, besides exiting with 0. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/"choices":\[\{.*"content":"\w/, /^\w/],
  'docs/agent.md': [/bridge\.md/],
};

const modelFile = join(ROOT, 'models/starter/chat/starter-chat.gguf');
const tried = PAGES.filter((page) => blocksOf(page).some(canRun));

test.each(tried)('the commands and programs of %s work', async (page) => {
  const reader = await openReader();
  const addresses = Object.entries((await GIVEN[page]?.(reader)) ?? {});
  const blocks = blocksOf(page).filter(canRun);
  for (const [index, block] of blocks.entries()) {
    const code = addresses.reduce((text, [named, real]) => text.replaceAll(named, real), block.code);
    const { exitCode, printed } = await reader.tries({ ...block, code });
    expect([`${page}:${block.line}`, exitCode, printed]).toEqual([
      `${page}:${block.line}`,
      0,
      expect.stringMatching(PRINTED[page]?.[index] ?? /\S/),
    ]);
  }
});
