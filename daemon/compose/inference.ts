import type { Settings } from '../../src/config.ts';
import { createChat } from '../../src/inference/chat.ts';
import { createEmbed } from '../../src/inference/embed.ts';
import type { Metered } from '../../src/inference/metered.ts';
import { createModerate } from '../../src/inference/moderate.ts';
import { createRerank } from '../../src/inference/rerank.ts';
import { createTranscribe } from '../../src/inference/transcribe.ts';
import { createTranslate } from '../../src/inference/translate.ts';
import type { Library } from '../../src/library/library.ts';
import type { Pool } from '../../src/runtime/pool.ts';

type Parts = { library: Library; pool: Pool; metered: Metered; settings: Settings };

/** Every task that models do. */
export function composeInference({ library, pool, metered, settings }: Parts) {
  const parts = { library, pool, metered };
  return {
    chat: createChat(parts),
    embed: createEmbed(parts),
    rerank: createRerank(parts),
    translate: createTranslate(parts),
    transcribe: createTranscribe({ ...parts, secondsMax: settings.audioSecondsMax }),
    moderate: createModerate({ ...parts, thresholds: settings.moderationThresholds }),
  };
}
