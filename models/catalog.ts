import type { ModelManifest } from '../src/runtime/manifest.ts';
import { starterChat } from './catalog/starter-chat.ts';

/** Every artifact that ships with the product. */
export const catalog: readonly ModelManifest[] = [starterChat];
