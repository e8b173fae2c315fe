import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ImportRequest } from '../../src/api/daemon.ts';
import { Failure } from '../../src/errors.ts';
import { command } from '../command.ts';
import { formatBytes } from '../format.ts';

type ImportOptions = { id: string; projector?: string; link?: true; copy?: true };

export const importFile = command<ImportOptions>({
  name: 'import',
  group: 'Models:',
  summary: 'make a model file on this machine usable',
  details: 'The file is used where it is, unless --copy asks for a copy in the home folder.',
  examples: [
    'askd import ./qwen2.5-0.5b-instruct-q8_0.gguf --id qwen2.5-0.5b',
    'askd import ./bge-m3-onnx --id bge-m3',
    'askd import ./SmolVLM2.gguf --projector ./mmproj-SmolVLM2.gguf --id smolvlm2',
    'askd import /mnt/usb/model.gguf --id my-model --copy',
  ],
  configure(commander) {
    commander
      .argument('<file>', 'a GGUF file, or a folder with config.json and onnx/')
      .requiredOption('--id <name>', 'the id that it gets')
      .option('--projector <file>', 'the second file of a model that reads images (mmproj)')
      .option('--link', 'use the file where it is (the default)')
      .option('--copy', 'copy it into the home folder');
  },
  async run({ connect, options: { host }, output }, { args: [file = ''], options }) {
    const client = await connect();
    const artifact = await client.importFile(importRequest(file, options, host !== undefined));
    output.result({ schema: 'import/1', ...artifact }, () =>
      [
        `Imported ${artifact.id} (${formatBytes(artifact.bytes)}, ${artifact.context_tokens_max} tokens of context).`,
        `Next: askd chat -m ${artifact.id}, or askd bind ${serviceFor(artifact)} ${artifact.id}`,
      ].join('\n'),
    );
  },
});

function importRequest(file: string, options: ImportOptions, elsewhere: boolean): ImportRequest {
  const { id, projector, link, copy } = options;
  if (link && copy) throw new Failure('invalid_value', 'Give either --link or --copy, not both.');
  const locate = (given: string) => (elsewhere ? given : existing(given));
  return {
    path: locate(file),
    ...(projector !== undefined && { projector: locate(projector) }),
    id,
    mode: copy ? 'copy' : 'link',
  };
}

function existing(file: string): string {
  const path = resolve(file);
  if (existsSync(path)) return path;
  throw new Failure('not_found', `There is no file ${path}.`);
}

function serviceFor({ engine }: { engine: string }): string {
  return engine === 'vision' ? 'svc-vision-v1' : 'svc-chat-v1';
}
