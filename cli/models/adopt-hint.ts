import type { FoundModel } from '../../src/api/management/adopt.ts';
import type { Client } from '../client/client.ts';

const NAMES: Readonly<Record<FoundModel['program'], string>> = {
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  'llama.cpp': 'llama.cpp',
  jan: 'Jan',
  gpt4all: 'GPT4All',
  hub: 'the Hugging Face cache',
};

/** Models of other programs that askd can run but does not use yet. */
export async function adoptableModels(client: Pick<Client, 'adoptable'>): Promise<FoundModel[]> {
  const { models } = await client.adoptable();
  return models.filter(({ can_be_adopted: can, is_adopted: isAdopted }) => can && !isAdopted);
}

/** `2 models of Ollama`, for each program that has any. */
export function countByProgram(models: readonly FoundModel[]): string[] {
  return Object.entries(NAMES).flatMap(([program, name]) => {
    const { length } = models.filter((model) => model.program === program);
    return length === 0 ? [] : [`${length} ${length === 1 ? 'model' : 'models'} of ${name}`];
  });
}

/** One sentence about models of other programs that are not used here yet; undefined if there are none. */
export async function adoptHint(client: Pick<Client, 'adoptable'>): Promise<string | undefined> {
  const counts = countByProgram(await adoptableModels(client));
  return counts.length === 0 ? undefined : `found ${counts.join(', ')}: askd adopt`;
}
