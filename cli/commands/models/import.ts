import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Artifact, ImportRequest } from '../../../src/api/management/daemon.ts';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { contextOf, formatBytes } from '../../output/format.ts';

type ImportOptions = {
  id?: string;
  projector?: string;
  engine?: string;
  link?: true;
  copy?: true;
  check: boolean;
  settings: boolean;
};

export const importFile = command<ImportOptions>({
  name: 'import',
  group: 'Models:',
  summary: 'import a model file, or an archive made by askd export',
  details:
    'The file is used in place, unless you give --copy. The model is checked: askd check. An archive also has ' +
    'settings, which are shown; those that are not set here are applied.',
  examples: [
    'askd import ./qwen2.5-0.5b-instruct-q8_0.gguf --id qwen2.5-0.5b',
    'askd import ./bge-m3-onnx --id bge-m3',
    'askd import ./SmolVLM2.gguf --projector ./mmproj-SmolVLM2.gguf --id smolvlm2',
    'askd import ./flux-klein --id flux-klein --engine diffusion',
    'askd import /mnt/usb/model.gguf --id my-model --copy --no-check',
    'askd import /mnt/usb/models.tar                              # made by askd export',
  ],
  configure(commander) {
    commander
      .argument(
        '<file>',
        'a GGUF file, or a folder with one, with config.json and onnx/, or with askd.json; or an archive',
      )
      .option('--id <name>', 'id to give it; an archive has its own')
      .option('--projector <file>', 'multimodal projector (mmproj) of a vision model')
      .option('--engine <name>', 'expected engine: llama, vision, onnx or diffusion')
      .option('--link', 'use the file in place (default)')
      .option('--copy', 'copy it into the home folder')
      .option('--no-check', 'do not check whether it works on this machine')
      .option('--no-settings', 'apply none of the settings of an archive');
  },
  async run({ connect, options: { host }, output, signal }, { args: [file = ''], options }) {
    const { followArchive, importedText, isArchive } = await import('../../models/archive.ts');
    const { checkNew } = await import('../../models/check-model.ts');
    const client = await connect();
    const isElsewhere = host !== undefined;
    if (isElsewhere ? options.id === undefined : isArchive(file)) {
      const path = isElsewhere ? file : resolve(file);
      const done = await followArchive(client.importArchive(path, options.settings), output, 'askd import');
      return output.result({ schema: 'import-archive/1', ...done }, () => importedText(done));
    }
    const artifact = await client.importFile(importRequest(file, options, isElsewhere));
    const check = options.check ? await checkNew(client, artifact.id, { output, signal }) : null;
    output.result({ schema: 'import/1', ...artifact, ...(check && { check }) }, () =>
      [`Imported ${artifact.id} (${sizeOf(artifact)}).`, `Next: ${nextFor(artifact)}`].join('\n'),
    );
  },
});

function sizeOf(artifact: Artifact): string {
  const size = formatBytes(artifact.bytes);
  const contextTokens = contextOf(artifact);
  return contextTokens === undefined ? size : `${size}, ${contextTokens} tokens of context`;
}

const SERVICES: Record<string, string> = {
  embed: 'svc-embed-v1',
  rerank: 'svc-rerank-v1',
  moderate: 'svc-moderation-v1',
  translate: 'svc-translate-v1',
  transcribe: 'svc-whisper-v1',
  speak: 'svc-tts-v1',
  draw: 'svc-image-v1',
};

function nextFor({ id, engine, tasks: [task = 'chat'] }: Artifact): string {
  if (engine === 'vision') return `askd chat -m ${id}, or askd bind svc-vision-v1 ${id}`;
  if (task === 'chat') return `askd chat -m ${id}, or askd bind svc-chat-v1 ${id}`;
  return `askd bind ${SERVICES[task] ?? 'svc-chat-v1'} ${id}`;
}

function importRequest(file: string, options: ImportOptions, elsewhere: boolean): ImportRequest {
  const { id, projector, engine, link, copy } = options;
  if (id === undefined)
    throw new Failure('missing_required_parameter', `Give the model a name: askd import ${file} --id NAME`);
  if (link && copy) throw new Failure('invalid_value', 'Give either --link or --copy, not both.');
  const locate = (given: string) => (elsewhere ? given : existing(given));
  return {
    path: locate(file),
    ...(projector !== undefined && { projector: locate(projector) }),
    id,
    mode: copy ? 'copy' : 'link',
    ...(engine !== undefined && { engine: engine as NonNullable<ImportRequest['engine']> }),
  };
}

function existing(file: string): string {
  const path = resolve(file);
  if (existsSync(path)) return path;
  throw new Failure('not_found', `There is no file ${path}.`);
}
