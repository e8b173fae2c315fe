import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { binFile, packageRoot } from '../src/base/paths.ts';
import { install } from './helpers/daemon/installation.ts';
import { scriptedModel } from './helpers/models/models.ts';
import { temporaryFolder } from './helpers/temporary.ts';

type Step = { id?: string; uses?: string; shell?: string; env?: Record<string, string>; run?: string };
type Action = {
  inputs: Record<string, { description: string; default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
};

const action = parse(readFileSync(join(packageRoot, 'action.yml'), 'utf8')) as Action;
const start = action.runs.steps.find(({ id }) => id === 'start');

/** The step as GitHub runs it, with its inputs filled in and the command `askd` on the path. */
async function runStart(inputs: Record<string, string>, folder = temporaryFolder()) {
  const { environment, askd } = install({ ASKD_OFFLINE: 'true' });
  const files = { GITHUB_ENV: join(folder, 'env'), GITHUB_OUTPUT: join(folder, 'output') };
  const given = Object.entries(start?.env ?? {}).map(([name, value]) => {
    const input = /^\$\{\{ inputs\.(\S+) \}\}$/.exec(value)?.[1] ?? '';
    return [name, inputs[input] ?? action.inputs[input]?.default ?? ''] as const;
  });
  const command = join(folder, 'askd');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${binFile('askd.js')}" "$@"\n`);
  chmodSync(command, 0o755);
  const { stderr, stdout, exitCode } = await execa('bash', ['-eo', 'pipefail', '-c', start?.run ?? ''], {
    env: {
      ...environment,
      ...files,
      ...Object.fromEntries(given),
      HOME: folder,
      PATH: `${folder}:${process.env['PATH']}`,
    },
    reject: false,
  });
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  const read = (file: string) =>
    Object.fromEntries(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    ) as Record<string, string>;
  return { stdout, askd, env: read(files.GITHUB_ENV), outputs: read(files.GITHUB_OUTPUT) };
}

async function ask(
  { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey }: Record<string, string>,
  model: string,
) {
  const openai = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Hello.' }];
  return (await openai.chat.completions.create({ model, messages })).choices[0]?.message.content;
}

test('the steps after it find a server and a masked test key', async () => {
  const folder = temporaryFolder();
  const script = join(folder, 'answers.yaml');
  writeFileSync(script, 'rules: [{ answer: { text: Good morning! } }]');
  const { stdout, env, outputs } = await runStart({ script }, folder);
  expect(await ask(env, 'svc-chat-v1')).toBe('Good morning!');
  expect(stdout).toContain(`::add-mask::${env['OPENAI_API_KEY']}`);
  expect(outputs).toEqual({ 'base-url': env['OPENAI_BASE_URL'], 'api-key': env['OPENAI_API_KEY'] });
  expect(env['ANTHROPIC_BASE_URL']).toBe(env['OPENAI_BASE_URL']?.replace('/v1', ''));
});

test('models come from the cache, without a network', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.cache/askd'), { recursive: true });
  const earlier = install({ ASKD_OFFLINE: 'true' });
  const { path } = await scriptedModel('From the cache.');
  await earlier.askd(['import', path, '--id', 'tiny', '--no-check']);
  const { exitCode } = await earlier.askd(['export', join(folder, '.cache/askd/models.askd'), 'tiny']);
  expect(exitCode).toBe(0);
  const { env } = await runStart({ models: 'tiny' }, folder);
  expect(await ask(env, 'tiny')).toBe('From the cache.');
});

test('each expression names an input, a step or the runner, and each step names its shell', () => {
  const text = readFileSync(join(packageRoot, 'action.yml'), 'utf8');
  const names = [...text.matchAll(/(?:if: |\$\{\{ )(\w+)\.([\w-]+)/g)].map(([, from, name]) => [from, name]);
  const known = { inputs: Object.keys(action.inputs), runner: ['os'], steps: ['start'] };
  for (const [from = '', name] of names) expect(known[from as keyof typeof known]).toContain(name);
  for (const { run, shell, uses } of action.runs.steps) expect(uses ?? (run && shell)).toBeTruthy();
  expect(action.runs.using).toBe('composite');
});
