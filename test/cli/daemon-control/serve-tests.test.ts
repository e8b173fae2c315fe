import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const ASKD = binFile('askd.js');

const PYTHON = `
import json, os, sys, urllib.request

def call(method, url, key, body=None):
    headers = {'Authorization': 'Bearer ' + key, 'Content-Type': 'application/json'}
    data = None if body is None else json.dumps(body).encode()
    return json.load(urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)))

base, key = os.environ['OPENAI_BASE_URL'], os.environ['OPENAI_API_KEY']
message = {'role': 'user', 'content': 'Hello.'}
answer = call('POST', base + '/chat/completions', key, {'model': 'svc-chat-v1', 'messages': [message]})
moved = call('PUT', os.environ['ANTHROPIC_BASE_URL'] + '/api/test/clock', os.environ['ASKD_ROOT_TOKEN'],
    {'now': '2040-01-01T00:00:00Z'})
print(answer['choices'][0]['message']['content'], moved['now'][:4], os.environ['ASKD_HOME'])
sys.exit(7)
`;

function serveTests(command: readonly string[], env: Record<string, string> = {}) {
  return execa(process.execPath, [ASKD, 'serve', '--test', ...command], { env, reject: false });
}

test('Python tests get a daemon, move its clock, and their exit code is that of the command', async () => {
  const script = join(temporaryFolder(), 'answers.yaml');
  writeFileSync(script, 'rules: [{ answer: { text: Morning! } }]');
  const env = { ASKD_SCRIPTED_ANSWERS: script };
  const { stdout, stderr, exitCode } = await serveTests(['--', 'python3', '-c', PYTHON], env);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 7 });
  const [answer, year, home = ''] = stdout.split(' ');
  expect([answer, year]).toEqual(['Morning!', '2040']);
  expect(existsSync(home)).toBe(false);
});

test('the commands of askd in a test are about its daemon', async () => {
  const own = temporaryFolder();
  const inside = ['--', process.execPath, ASKD, 'keys', 'list', '--json'];
  const { stdout } = await serveTests(inside, { ASKD_HOME: own });
  expect(JSON.parse(stdout)).toMatchObject({ keys: [{ name: 'tests' }] });
  expect(existsSync(join(own, 'askd.db'))).toBe(false);
});

test('without a command it says what to export, and serves until it is stopped', async () => {
  const child = spawn(process.execPath, [ASKD, 'serve', '--test', '--json']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (part: Buffer) => {
      text += part.toString();
      if (text.endsWith('}\n')) resolve(text);
    });
  });
  const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key, ASKD_HOME: home } = JSON.parse(said) as never;
  expect(
    await fetch(`${String(url)}/models`, { headers: { authorization: `Bearer ${String(key)}` } }),
  ).toMatchObject({
    status: 200,
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(existsSync(home)).toBe(false);
});

test('a missing program is named', async () => {
  const { stderr, exitCode } = await serveTests(['--', 'no-such-runner']);
  expect({ stderr, exitCode }).toEqual({
    stderr: 'error: There is no program "no-such-runner".',
    exitCode: 5,
  });
});

test('a command needs --test', async () => {
  const { stderr, exitCode } = await execa(process.execPath, [ASKD, 'serve', 'pytest'], { reject: false });
  expect({ exitCode, says: stderr.includes('askd serve --test -- COMMAND') }).toEqual({
    exitCode: 2,
    says: true,
  });
});
