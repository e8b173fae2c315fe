import { createFollow } from './follow-pull.ts';
import { createMethods } from './methods.ts';
import { ROUTES } from './routes.ts';
import { createSend, type ClientOptions } from './send.ts';

export { AskdConnectionError, AskdError } from './error.ts';
export { verifyWebhook, WebhookVerificationError } from './webhook.ts';

/**
 * A client for every route except chat, for which there are the packages openai and @anthropic-ai/sdk. It needs
 * `fetch` and nothing from Node. The build generates its types from the schemas of the API.
 */
export function createClient(options: ClientOptions = {}) {
  const methods = createMethods(ROUTES, createSend(options));
  return { ...methods, pulls: { ...methods['pulls'], follow: createFollow(methods['pulls'] as never) } };
}
