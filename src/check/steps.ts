import type { Step } from './step.ts';
import { context } from './steps/context.ts';
import { embedding } from './steps/embedding.ts';
import { endOfTurn } from './steps/end-of-turn.ts';
import { images } from './steps/images.ts';
import { memory } from './steps/memory.ts';
import { moderation } from './steps/moderation.ts';
import { ranking } from './steps/ranking.ts';
import { repeatability } from './steps/repeatability.ts';
import { schema } from './steps/schema.ts';
import { speech } from './steps/speech.ts';
import { speed } from './steps/speed.ts';
import { template } from './steps/template.ts';
import { tokenizer } from './steps/tokenizer.ts';
import { tools } from './steps/tools.ts';
import { transcription } from './steps/transcription.ts';
import { translation } from './steps/translation.ts';
import { vision } from './steps/vision.ts';

/** The checks of a loaded model, the most telling first: a slow model may leave no time for the last ones. */
export const STEPS: readonly Step[] = [
  tokenizer,
  template,
  endOfTurn,
  schema,
  tools,
  vision,
  speed,
  repeatability,
  context,
  embedding,
  ranking,
  moderation,
  translation,
  speech,
  transcription,
  images,
  memory,
];
