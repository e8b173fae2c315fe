import type { Settings } from '../../src/config/config.ts';
import { createGallery } from '../../src/gallery/gallery.ts';
import { createChat } from '../../src/inference/chat.ts';
import { createDraw } from '../../src/inference/draw.ts';
import { createEmbed } from '../../src/inference/embed.ts';
import { createFallbacks } from '../../src/inference/fallback/fallback.ts';
import { createMetered } from '../../src/inference/metered.ts';
import { createModerate } from '../../src/inference/moderate.ts';
import { createRerank } from '../../src/inference/rerank.ts';
import { createSpeak } from '../../src/inference/speak.ts';
import { createTokenizer } from '../../src/inference/tokenize.ts';
import { createTranscribe } from '../../src/inference/transcribe.ts';
import { createTranslate } from '../../src/inference/translate.ts';
import type { Log } from '../../src/log/log.ts';
import type { Library } from '../../src/library/library.ts';
import { openSeal } from '../../src/base/sealed.ts';
import type { Pool } from '../../src/runtime/pool.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

type Metering = Omit<Parameters<typeof createMetered>[0], 'refundFailed' | 'onSettled'>;
type Parts = Metering & {
  library: Library;
  pool: Pool;
  settings: Settings;
  log: Log;
  telemetry: Telemetry;
};

/** All inference tasks, and the storage of their images. */
export function composeInference({ library, pool, settings, log, telemetry, ...metering }: Parts) {
  const { refundFailed } = settings;
  const metered = createMetered({ ...metering, refundFailed, onSettled: telemetry.settled });
  const fallbacks = createFallbacks({
    candidatesFor: library.candidatesFor,
    onFallback(fellBack) {
      const { model, from, to, reason, isFirst } = fellBack;
      telemetry.fellBack(fellBack);
      if (isFirst) log.warn({ model, from, to, code: reason.code }, `a fallback serves: ${reason.message}`);
    },
    onRecovered: (artifact) => log.info({ artifact }, 'the model serves again'),
  });
  const parts = { library, pool, metered, fallbacks };
  const moderate = createModerate({ ...parts, thresholds: settings.moderationThresholds });
  return {
    metered,
    chat: createChat({ ...parts, moderate, moderation: settings.chatModerate }),
    draw: createDraw(parts),
    gallery: createGallery({
      folder: settings.paths.images,
      keys: openSeal(settings.paths.sealKey),
      clock: metering.clock,
      keepMs: settings.imageUrlTtlMs,
      budgetBytes: settings.imageStoreBytes,
    }),
    embed: createEmbed(parts),
    rerank: createRerank(parts),
    translate: createTranslate(parts),
    speak: createSpeak(parts),
    transcribe: createTranscribe({ ...parts, secondsMax: settings.audioSecondsMax }),
    moderate,
    tokenizer: createTokenizer({ library, pool }),
  };
}
