import type { Client } from '../client/client.ts';

const NAMES = {
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  'llama.cpp': 'llama.cpp',
  jan: 'Jan',
  gpt4all: 'GPT4All',
};

/** One sentence about models of other programs that are not used here yet; undefined where there are none. */
export async function adoptHint(client: Pick<Client, 'adoptable'>): Promise<string | undefined> {
  const { models } = await client.adoptable();
  const counts = Object.entries(NAMES).flatMap(([program, name]) => {
    const { length } = models.filter(
      (model) => model.program === program && model.can_be_adopted && !model.is_adopted,
    );
    return length === 0 ? [] : [`${length} ${length === 1 ? 'model' : 'models'} of ${name}`];
  });
  return counts.length === 0 ? undefined : `found ${counts.join(', ')}: askd adopt`;
}
