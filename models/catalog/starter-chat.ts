import { statSync } from 'node:fs';
import { builtFile } from '../../src/paths.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';

const path = builtFile('models/starter/starter-chat.gguf');

export const starterChat = {
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
