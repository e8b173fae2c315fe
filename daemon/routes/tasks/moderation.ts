import {
  createModeration,
  moderate as moderateTexts,
  type ModerationPart,
  type ModerationRequest,
  type ModerationResult,
} from '../../../src/api/tasks/moderation.ts';
import { Failure } from '../../../src/base/errors.ts';
import { shownCost } from '../../../src/inference/charges/cost.ts';
import type { TaskContext } from '../../../src/inference/items.ts';
import { forCategories } from '../../../src/base/moderation-categories.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { toContext } from '../../http/served.ts';

const MODEL = 'svc-moderation-v1';
/** Scores are for text only. */
const WORDS_ALONE = forCategories(() => ['text' as const]);

export function registerModeration(register: RegisterRoute, services: Services): void {
  async function answer(
    { model = MODEL, input }: ModerationRequest,
    context: TaskContext,
  ): Promise<ModerationResult> {
    const { results, promptTokens } = await services.moderate.moderate(
      { model, inputs: toInputs(input) },
      context,
    );
    return {
      id: context.requestId.replace(/^req_/, 'modr-'),
      model,
      results: results.map(({ flagged, categories, scores }) => ({
        flagged,
        categories,
        category_scores: scores,
        category_applied_input_types: WORDS_ALONE,
      })),
      category_thresholds: services.settings.moderationThresholds,
      usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
      cost: shownCost({ model, task: 'moderate', promptTokens, batch: context.batch }),
    };
  }

  for (const endpoint of [moderateTexts, createModeration]) {
    register(endpoint, (call) => answer(call.body, toContext(call, services)));
  }
}

/** Parts are scored together as one text. */
function toInputs(input: ModerationRequest['input']): string[] {
  if (typeof input === 'string') return [input];
  const texts = input.filter((each) => typeof each === 'string');
  if (texts.length === input.length) return texts;
  return [input.map(textOf).join('\n')];
}

function textOf(part: string | ModerationPart, index: number): string {
  if (typeof part === 'string') return part;
  const param = `input[${index}]`;
  if (part.type === 'image_url') throw scoresNoImages(`${param}.image_url`);
  if (part.text !== undefined) return part.text;
  throw new Failure('missing_required_parameter', `The parameter "${param}.text" is required.`, {
    param: `${param}.text`,
  });
}

function scoresNoImages(param: string): Failure {
  const message =
    'Only text can be moderated. Omit the image, or ask a vision model about it: svc-vision-v1 at POST /v1/chat/completions.';
  return new Failure('unsupported_parameter', message, { param });
}
