import { statSync } from 'node:fs';
import { builtFile } from '../../src/paths.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { starterModel } from './starter-model.ts';

const path = builtFile('models/starter/starter-chat.gguf');

const placeholder = {
  id: 'starter-chat',
  name: 'askd starter (placeholder)',
  engine: 'llama',
  tasks: ['chat'],
  services: ['svc-chat-v1'],
  tier: 'starter',
  licence: 'Apache-2.0',
  path,
  bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  contextTokensMax: 8192,
  notice:
    'This is the placeholder starter model: whatever you ask, it recites one fixed text. ' +
    'For real answers: askd import FILE.gguf --id my-model, then: askd bind svc-chat-v1 my-model',
} as const satisfies ModelManifest;

const trained = starterModel({
  id: 'starter-chat',
  name: 'askd starter, chat',
  folder: 'chat',
  file: 'starter-chat.gguf',
  engine: 'llama',
  tasks: ['chat'],
  services: ['svc-chat-v1', 'svc-code-v1', 'svc-translate-v1'],
  contextTokensMax: 2048,
  notice:
    'This is the starter model of askd: it knows the commands of askd and small tasks on text and numbers, and little else.',
});

/** What was trained, once `npm run starter:export` has brought it; until then what says that it is a placeholder. */
export const starterChat: ModelManifest = trained.card ? trained : placeholder;
