import { translate as translateText } from '../../src/api/translate.ts';
import type { Services } from '../compose.ts';
import type { Mount } from '../mount.ts';

const MODEL = 'svc-translate-v1';

export function mountTranslate(mount: Mount, { translate, stopping }: Services): void {
  mount(translateText, async ({ body, principal: { accountId, keyId }, requestId, client }) => {
    const { text, target_language, source_language, model = MODEL } = body;
    const context = { requestId, accountId, keyId, client, daemon: stopping.signal };
    const languages = {
      target: target_language,
      ...(source_language !== undefined && { source: source_language }),
    };
    const translation = await translate.translate({ model, text, ...languages }, context);
    const { promptTokens, completionTokens } = translation;
    return {
      translated_text: translation.text,
      target_language,
      ...(source_language !== undefined && { source_language }),
      model,
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
      },
    };
  });
}
