import { Failure, isFailureCode } from '../../src/base/errors.ts';
import type { Model } from '../../src/api/management/models.ts';
import type { Client } from '../client/client.ts';

const NAMES_MAX = 6;

type Models = Pick<Client, 'model' | 'models'>;

/** Why a conversation with the model would fail: something is missing, or the model does not chat. */
export async function whyNoChat(client: Models, model: string): Promise<Failure | undefined> {
  try {
    const found = await client.model(model);
    if (!chats(found)) return doesNotChat(model, found.category, await chatModels(client));
    const { missing } = found.local;
    if (missing === undefined) return undefined;
    const { code, message, fix } = missing;
    return new Failure(isFailureCode(code) ? code : 'model_not_installed', message, {
      ...(fix !== undefined && { details: { fix } }),
    });
  } catch (error) {
    if (error instanceof Failure && /^model_not_(found|installed)$/.test(error.code)) return error;
    // Another server may have no such list; the request itself will tell.
    return undefined;
  }
}

export async function requireChat(client: Models, model: string): Promise<void> {
  const failure = await whyNoChat(client, model);
  if (failure) throw failure;
}

/** An unknown model, for example on another server, may chat. */
export function chats({ capabilities = {} }: Partial<Pick<Model, 'capabilities'>>): boolean {
  return Object.keys(capabilities).length === 0 || capabilities['chat_completion'] === true;
}

/** The models that can answer now. */
async function chatModels(client: Models): Promise<string[]> {
  const { data } = await client.models();
  return data
    .filter((each) => chats(each) && each.local.state !== 'not_installed')
    .map(({ id }) => id)
    .slice(0, NAMES_MAX);
}

function doesNotChat(model: string, category: string, names: readonly string[]): Failure {
  const [first] = names;
  const chatting = first === undefined ? '' : ` Models that chat: ${names.join(', ')}.`;
  return new Failure(
    'model_capability_mismatch',
    `The model \`${model}\` is for ${category}, not for chat.${chatting}`,
    { param: 'model', ...(first !== undefined && { details: { fix: `askd chat -m ${first}` } }) },
  );
}
