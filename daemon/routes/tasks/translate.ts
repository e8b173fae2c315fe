import { translate as translateText } from '../../../src/api/tasks/translate.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { toContext } from '../../http/served.ts';

const MODEL = 'svc-translate-v1';

export function registerTranslate(register: RegisterRoute, services: Services): void {
  register(translateText, async (call) => {
    const { text, target_language, source_language, model = MODEL } = call.body;
    const languages = {
      target: target_language,
      ...(source_language !== undefined && { source: source_language }),
    };
    const translation = await services.translate.translate(
      { model, text, ...languages },
      toContext(call, services),
    );
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
