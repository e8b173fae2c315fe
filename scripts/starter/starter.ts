import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeScriptedModel } from '../fixtures/scripted-model.ts';
import { STARTER_REPLY } from './reply.ts';

const STARTER_CONTEXT_TOKENS = 8192;

/** Makes the model that answers before any weights are installed, and returns its path. The same bytes every time. */
export async function makeStarter(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'starter-chat.gguf');
  await writeScriptedModel(file, {
    text: STARTER_REPLY,
    contextTokens: STARTER_CONTEXT_TOKENS,
    name: 'starter-chat',
  });
  return file;
}
