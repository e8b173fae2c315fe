import { daemonWith } from './chat.ts';
import { scriptedModel } from '../models/models.ts';

export const ANSWER = 'One two three four five six.';

/** A daemon with a model that always gives the same answer, and a key that may request simulated failures. */
export async function troubledDaemon(env: Record<string, string> = {}) {
  const daemon = await daemonWith({ m: await scriptedModel(ANSWER) }, env);
  const create = (isTest: boolean) =>
    daemon.services.keys.create({
      accountId: 'acct_local',
      name: isTest ? 'tests' : 'app',
      scopes: ['chat', 'read', 'write'],
      expiresAt: null,
      isTest,
    });
  const tests = create(true);
  const ordinary = create(false);
  const ask = (simulate: string | undefined, body: Record<string, unknown> = {}, token = tests.key) =>
    fetch(`${daemon.baseURL}/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(simulate !== undefined && { 'x-askd-simulate': simulate }),
      },
      body: JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content: 'hello' }],
        max_tokens: 20,
        ...body,
      }),
    });
  const addRule = async (rule: Record<string, unknown>) => {
    const body = { route: 'POST /v1/chat/completions', ...rule };
    return daemon.call('POST', `/api/keys/${tests.id}/simulations`, { body });
  };
  return { ...daemon, tests, ordinary, ask, addRule };
}

export type TroubledDaemon = Awaited<ReturnType<typeof troubledDaemon>>;
