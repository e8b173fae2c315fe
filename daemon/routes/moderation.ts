import {
  createModeration,
  moderate as moderateTexts,
  type ModerationRequest,
  type ModerationResult,
} from '../../src/api/moderation.ts';
import { shownCost } from '../../src/inference/cost.ts';
import type { TaskContext } from '../../src/inference/items.ts';
import type { Services } from '../compose.ts';
import type { Mount } from '../mount.ts';
import { toContext } from '../served.ts';

const MODEL = 'svc-moderation-v1';

export function mountModeration(mount: Mount, services: Services): void {
  async function answer(
    { model = MODEL, input }: ModerationRequest,
    context: TaskContext,
  ): Promise<ModerationResult> {
    const { results, promptTokens } = await services.moderate.moderate(
      { model, inputs: [input].flat() },
      context,
    );
    return {
      id: context.requestId.replace(/^req_/, 'modr-'),
      model,
      results: results.map(({ flagged, categories, scores }) => ({
        flagged,
        categories,
        category_scores: scores,
      })),
      usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
      cost: shownCost(promptTokens),
    };
  }

  for (const endpoint of [moderateTexts, createModeration]) {
    mount(endpoint, (call) => answer(call.body, toContext(call, services)));
  }
}
