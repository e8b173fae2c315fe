import type { Model } from '../../src/api/management/models.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Client as ApiClient } from '../client/client.ts';
import type { Client } from './client.ts';

/** Coding agents get the code model if there is one. */
const PREFERRED = ['svc-code-v1', 'svc-chat-v1'];

type ModelRequest = { client: Client; model: string | undefined; force: boolean };
export type Chosen = { model: string; contextTokens: number };

/** Chooses an installed model with tool calls and enough context. */
export async function chooseModel(api: ApiClient, { client, model, force }: ModelRequest): Promise<Chosen> {
  if (model !== undefined) {
    const found = await api.model(model);
    const obstacle = await obstacleTo(found, client, api);
    if (obstacle.failure && !force) throw obstacle.failure;
    return { model, contextTokens: obstacle.contextTokens };
  }
  const installed = (await api.models()).data.filter(isInstalled);
  const wanted = PREFERRED.flatMap((id) => installed.find((one) => one.id === id) ?? []);
  let first: Failure | undefined;
  for (const one of wanted) {
    const { contextTokens, failure } = await obstacleTo(one, client, api);
    if (!failure || force) return { model: one.id, contextTokens };
    first ??= failure;
  }
  throw first ?? noModel(client);
}

function isInstalled({ local }: Model): boolean {
  return local.state !== 'not_installed' && local.state !== 'downloading';
}

async function obstacleTo(
  found: Model,
  client: Client,
  api: ApiClient,
): Promise<{ contextTokens: number; failure?: Failure }> {
  const { id, capabilities, local } = found;
  if (!isInstalled(found)) {
    const failure = new Failure('model_not_installed', `The model ${id} is not installed.`, {
      details: { fix: `askd pull ${id}` },
    });
    return { contextTokens: 0, failure };
  }
  const contextTokens = (await api.estimate(id)).context_tokens ?? local.context_tokens ?? 0;
  if (!capabilities['function_calling']) return { contextTokens, failure: callsNoTools(id, client) };
  if (contextTokens >= client.contextTokensMin) return { contextTokens };
  const { artifacts } = await api.artifacts();
  const trained = artifacts.find(({ id: artifact }) => artifact === local.artifact)?.context_tokens_max ?? 0;
  return { contextTokens, failure: contextTooSmall({ id, contextTokens, trained }, client) };
}

function callsNoTools(id: string, { name, title }: Client): Failure {
  return new Failure(
    'model_capability_mismatch',
    `${title} needs a model that calls tools; ${id} is not a chat model.`,
    {
      details: { fix: `askd launch ${name} --model svc-code-v1` },
    },
  );
}

type Small = { id: string; contextTokens: number; trained: number };

function contextTooSmall(
  { id, contextTokens, trained }: Small,
  { name, title, contextTokensMin }: Client,
): Failure {
  const [needed, has] = [contextTokensMin, contextTokens].map((tokens) => tokens.toLocaleString('en'));
  const another = `askd launch ${name} --model NAME`;
  const fix =
    trained < contextTokensMin
      ? `askd pull svc-code-v1, or another model: ${another}`
      : `askd config set model_context_tokens auto && askd restart, or another model: ${another}`;
  return new Failure(
    'context_length_exceeded',
    `${title} needs a context of ${needed} tokens; ${id} has ${has} here.`,
    {
      details: { fix },
    },
  );
}

function noModel({ title }: Client): Failure {
  return new Failure('model_not_installed', `${title} needs a chat model, and none is installed.`, {
    details: { fix: 'askd pull svc-code-v1' },
  });
}
