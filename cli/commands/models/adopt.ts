import { Option } from 'commander';
import type { AdoptRequest, FoundModel } from '../../../src/api/management/adopt.ts';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';

type Program = FoundModel['program'];
type Options = { all?: true; from?: Program; id?: string; dryRun?: true };

const PROGRAMS: readonly Program[] = ['ollama', 'lm-studio', 'llama.cpp', 'jan', 'gpt4all', 'hub'];

export const adopt = command<Options>({
  name: 'adopt',
  group: 'Models:',
  summary: 'use models of Ollama, LM Studio and other programs',
  details:
    'Lists what Ollama, LM Studio, llama.cpp, Jan, GPT4All and the hub cache have. A model is used where it is: nothing is ' +
    'copied, and askd rm never deletes the file. Parameters and the system prompt of a Modelfile become the defaults ' +
    'of the model.',
  examples: [
    'askd adopt',
    'askd adopt llama3.2:3b',
    'askd adopt --all --from ollama',
    'askd adopt --all --dry-run',
    'askd adopt qwen2.5-7b-instruct-q4_k_m --id qwen',
  ],
  configure(commander) {
    commander
      .argument('[model]', 'its id or its name; without one, all are listed')
      .option('--all', 'every model that askd can run')
      .addOption(new Option('--from <program>', 'only models of this program').choices([...PROGRAMS]))
      .option('--id <name>', 'another id for it')
      .option('--dry-run', 'only show what would be adopted');
  },
  async run({ connect, output }, { args: [name], options }) {
    const { adoptedText, foundText } = await import('../../models/adopt-text.ts');
    refuseContradictions(name, options);
    const client = await connect();
    const { all, from, id, dryRun } = options;
    if (dryRun || (name === undefined && !all)) {
      const { models, unreadable } = await client.adoptable();
      const shown = models.filter((model) => isAsked(model, { name, from, onlyNew: dryRun === true }));
      if (name !== undefined && shown.length === 0) throw unknown(name);
      return output.result({ schema: 'adoptable/1', models: shown, unreadable }, () =>
        foundText(shown, { unreadable, isDetailed: name !== undefined }, output),
      );
    }
    const request: AdoptRequest = {
      ...(name !== undefined && { name }),
      ...(from && { program: from }),
      ...(id !== undefined && { id }),
    };
    const answer = await client.adopt(request);
    output.result({ schema: 'adopt/1', ...answer }, () => adoptedText(answer));
  },
});

type Asked = { name: string | undefined; from: Program | undefined; onlyNew: boolean };

function isAsked(model: FoundModel, { name, from, onlyNew }: Asked): boolean {
  if (from !== undefined && model.program !== from) return false;
  if (name !== undefined) return [model.id, model.name].includes(name);
  return !onlyNew || (model.can_be_adopted && !model.is_adopted);
}

function refuseContradictions(name: string | undefined, { all, id }: Options): void {
  if (name !== undefined && all)
    throw new Failure('invalid_value', 'Give either a model or --all, not both.');
  if (id !== undefined && name === undefined)
    throw new Failure('invalid_value', '--id is for one model: askd adopt MODEL --id NAME');
}

function unknown(name: string): Failure {
  return new Failure('model_not_found', `No program on this machine has a model "${name}".`, {
    details: { fix: 'askd adopt' },
  });
}
