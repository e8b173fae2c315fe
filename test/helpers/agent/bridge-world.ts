import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { perfectReader } from './reader.ts';
import type { Script } from './scripted-chat.ts';
import { upstreamReader } from './upstream-reader.ts';
import { asMarkdown, createWorld } from './world.ts';
import type { Installation } from '../daemon/installation.ts';

/** An installation with documents about some bridges, and a scripted chat model. */
export async function teachBridges({ askd, home }: Installation, script: Script = perfectReader) {
  const world = createWorld(11);
  const server = await upstreamReader(script);
  const folder = join(home, 'bridges');
  mkdirSync(folder);
  for (const page of world.pages) writeFileSync(join(folder, `${page.path}.md`), asMarkdown(page));
  for (const args of [
    ['upstream', 'add', 'reader', '--url', `${server.url}/v1`, '--model', 'reader'],
    ['bind', 'svc-chat-v1', 'reader'],
    ['docs', 'add', folder],
  ])
    expect(await askd(args)).toMatchObject({ exitCode: 0 });
  return world.questions;
}
