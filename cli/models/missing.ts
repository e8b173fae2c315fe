import { Failure, isFailureCode } from '../../src/base/errors.ts';
import type { Client } from '../client/client.ts';

/** What a request to the model would fail with because something is not there. */
export async function whatIsMissing(
  client: Pick<Client, 'model'>,
  model: string,
): Promise<Failure | undefined> {
  try {
    const { missing } = (await client.model(model)).local;
    if (missing === undefined) return undefined;
    const { code, message, fix } = missing;
    return new Failure(isFailureCode(code) ? code : 'model_not_installed', message, {
      ...(fix !== undefined && { details: { fix } }),
    });
  } catch (error) {
    if (error instanceof Failure && /^model_not_(found|installed)$/.test(error.code)) return error;
    // Another server may have no such list, and the request itself has an answer.
    return undefined;
  }
}

export async function requireModel(client: Pick<Client, 'model'>, model: string): Promise<void> {
  const missing = await whatIsMissing(client, model);
  if (missing) throw missing;
}
