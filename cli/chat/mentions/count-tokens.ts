import type { Client } from '../../client/client.ts';
import type { ChatOptions } from '../options.ts';

/** Counts with the tokenizer of the current model; undefined if that is not available. */
export function tokenCounter(client: Pick<Client, 'countTokens'>, options: ChatOptions) {
  return (text: string): Promise<number | undefined> =>
    client.countTokens(options.model, text).catch(() => undefined);
}
