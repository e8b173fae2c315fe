import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/base/paths.ts';
import { resources } from '../helpers/docs/kubernetes/manifests.ts';

type Start = { image?: string; program?: readonly string[]; args?: readonly string[] };

const text = (name: string) => readFileSync(join(packageRoot, 'deploy', name), 'utf8');

const inCompose = (): Start => {
  const { services } = parse(text('compose.vllm.yml')) as {
    services: { vllm: { image: string; entrypoint: string[]; command: string[] } };
  };
  const { image, entrypoint, command } = services.vllm;
  return { image, program: entrypoint.slice(0, 2), args: [...entrypoint.slice(2), ...command] };
};

const inKubernetes = (): Start => {
  const containers = resources<StatefulSet>('StatefulSet').flatMap(
    ({ spec }) => spec?.template.spec?.containers ?? [],
  );
  const { image = '', command = [], args = [] } = containers.find(({ name }) => name === 'vllm') ?? {};
  return { image, program: command.slice(0, 2), args: [...command.slice(2), ...args] };
};

const FILES = [
  { file: 'compose.vllm.yml', start: inCompose },
  { file: 'kubernetes/vllm.yaml', start: inKubernetes },
];

test.each(FILES)('$file starts vLLM as its documentation says: the model is not an option', ({ start }) => {
  const { program, args = [] } = start();
  expect(program).toEqual(['vllm', 'serve']);
  expect(args[0]).toMatch(/^[\w.-]+\/[\w.-]+$/);
  expect(args).not.toContain('--model');
});

test.each(FILES)('$file gives askd the name and the context with which vLLM serves', ({ file, start }) => {
  const { args = [] } = start();
  const valueOf = (option: string) => args[args.indexOf(option) + 1];
  const added = /askd upstream add (\S+) .*--model (\S+) --context (\d+)/.exec(text(file));
  expect(added?.slice(2)).toEqual([valueOf('--served-model-name'), valueOf('--max-model-len')]);
  expect(text(file)).toContain(`askd bind svc-chat-v1 ${added?.[1]}\n`);
});

test('both start the same release with the same model', () => {
  expect(inCompose()).toEqual(inKubernetes());
  expect(inCompose().image).toMatch(/:v\d+\.\d+\.\d+$/);
});
