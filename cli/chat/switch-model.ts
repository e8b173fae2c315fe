import type { Client } from '../client/client.ts';
import { reportFailure } from '../output/failure-report.ts';
import { downloadBytes, sizeText } from '../models/pull/download-size.ts';
import { whyNoChat } from '../models/missing.ts';
import type { Talk } from './talk.ts';

/** What choosing a model needs. Without `agree`, there is nobody to ask, or the server belongs to someone else. */
export type Choosing = { client?: Client; agree?: ((question: string) => Promise<boolean>) | undefined };

/**
 * The next messages go to this model. A model that is not installed is offered, and the chat continues in the
 * meantime.
 */
export async function switchModel(
  { options }: Talk,
  id: string,
  { client, agree }: Choosing,
): Promise<string> {
  if (id === '') return `The model is ${options.model}. Switch with /model ID; askd models lists them.`;
  const missing = client && (await whyNoChat(client, id));
  if (client === undefined || missing === undefined) {
    options.model = id;
    return `Switched to ${id}.`;
  }
  const stays = `The model is still ${options.model}.`;
  if (missing.code === 'model_capability_mismatch') return `${missing.message}\n${stays}`;
  const isOffered = agree !== undefined && missing.details['fix'] === `askd pull ${id}`;
  if (!isOffered) return [...linesOf(missing), stays].join('\n');
  try {
    const question = `${id} is not installed. Pull it now?${sizeText(await downloadBytes(client, id))}`;
    if (!(await agree(question))) return `${stays} To pull the other one: askd pull ${id}`;
    await client.startPull({ model: id });
    return `${id} is downloading while the chat continues with ${options.model}. You will see here when it is ready.`;
  } catch (error) {
    return [...linesOf(error), stays].join('\n');
  }
}

const linesOf = (error: unknown): readonly string[] => reportFailure(error, { verbose: false }).lines;
