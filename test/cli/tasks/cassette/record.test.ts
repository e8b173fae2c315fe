import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startAskd } from 'askd/testing';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { binFile } from '../../../../src/base/paths.ts';
import { scriptedServer, sendJson } from '../../../helpers/servers/scripted-server.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const ASKD = binFile('askd.js');
const PROGRAM = fileURLToPath(new URL('program.js', import.meta.url));
const RULES = {
  rules: [
    {
      when: { contains: 'weather' },
      answer: { tool_calls: [{ name: 'get_weather', arguments: { city: 'Bergen' } }] },
    },
    { answer: { reasoning: 'They greet me.', text: 'Good morning to you, Åse!' } },
  ],
};

let folder: string;
let file: string;
let recorded: Awaited<ReturnType<typeof askd>>;
let apiKey: string;

async function askd(args: readonly string[], env: Record<string, string> = {}) {
  const home = { ASKD_HOME: join(folder, 'home'), ASKD_PORT: '0' };
  const options = { env: { ...home, ...env }, reject: false } as const;
  const { stdout, stderr, exitCode } = await execa(process.execPath, [ASKD, ...args], options);
  return { stdout, stderr, exitCode };
}

/** One recording of a real daemon, which is gone before anything is replayed. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'askd-cassette-'));
  file = join(folder, 'cassette.jsonl');
  const daemon = await startAskd({ models: { script: RULES } });
  try {
    ({ apiKey } = daemon);
    const command = ['record', file, '--', process.execPath, PROGRAM, 'an', 'argument'];
    recorded = await askd(command, daemon.variables);
  } finally {
    await daemon.stop();
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a program that uses the openai package is recorded, and askd exits with its code', () => {
  const { stdout, stderr, exitCode } = recorded;
  expect({ stderr, exitCode }).toEqual({ stderr: `7 recorded in ${file}.`, exitCode: 7 });
  const lines = stdout.split('\n');
  expect(lines.at(-1)).toBe('an argument');
  expect(lines.filter((line) => line.startsWith('chunk')).length).toBeGreaterThan(4);
  expect(stdout).toContain('get_weather');
  expect(lines.filter((line) => line.startsWith('error')).map((line) => line.slice(0, 10))).toEqual([
    'error [429',
    'error [402',
    'error [503',
  ]);
});

test('without the daemon the program gets the same, event by event, and at the recorded speed', async () => {
  for (const flags of [[], ['--strict'], ['--speed', 'recorded']]) {
    const command = ['replay', file, ...flags, '--', process.execPath, PROGRAM, 'an', 'argument'];
    expect(await askd(command)).toEqual({ ...recorded, stderr: '' });
  }
});

test('the file reads as requests and answers, without the key', () => {
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(apiKey);
  const [header, ...lines] = text.trimEnd().split('\n');
  expect(header).toBe('{"cassette":1}');
  expect(lines[0]).toMatch(
    /^\{"request":\{"method":"POST","path":"\/v1\/chat\/completions","body":\{"model":"svc-chat-v1","messages":\[\{"role":"user","content":"Hello\."}]}},"response":\{"status":200,/,
  );
  expect(lines[0]).toContain('Good morning to you, Åse!');
});

test('a request that was not recorded is an error in the program, and is counted', async () => {
  const program = join(temporaryFolder(), 'other.mjs');
  writeFileSync(
    program,
    `const url = process.env.OPENAI_BASE_URL + '/chat/completions';
const body = JSON.stringify({ model: 'svc-chat-v1', messages: [{ role: 'user', content: 'Hello!' }] });
console.log((await (await fetch(url, { method: 'POST', body })).json()).error.message);`,
  );
  const { stdout, stderr, exitCode } = await askd(['replay', file, '--', process.execPath, program]);
  expect(stdout).toBe(
    'cassette.jsonl does not have this request, POST /v1/chat/completions. ' +
      'The nearest is on line 2: body.messages.0.content is "Hello!", and was "Hello.".',
  );
  expect({ stderr, exitCode }).toEqual({ stderr: `1 request was not in ${file}.`, exitCode: 0 });
});

test('an existing file is refused before anything is started', async () => {
  const { stderr, exitCode } = await askd(['record', file, '--', 'no-such-program']);
  expect(stderr).toContain('already exists');
  expect(stderr).toContain('--update new');
  expect(exitCode).toBe(1);
});

test("a hosted provider gets the program's key, which is not written to the file", async () => {
  const replayed = spawn(process.execPath, [ASKD, 'replay', file, '--json']);
  onTestFinished(() => void replayed.kill('SIGKILL'));
  const served = await printed(replayed.stdout);
  const own = join(temporaryFolder(), 'new', 'cassette.jsonl');
  const key = 'sk-hosted-0123456789abcdef';
  const upstream = ['--upstream', String(served['OPENAI_BASE_URL']), '--json'];
  const command = [
    'record',
    own,
    ...upstream,
    '--',
    process.execPath,
    '-e',
    'fetch(process.env.OPENAI_BASE_URL)',
  ];
  const { stdout } = await askd(command, { OPENAI_API_KEY: key });
  expect(JSON.parse(stdout)).toEqual({
    schema: 'record/1',
    ...{ file: own, exit_code: 0, recorded: 1, replayed: 0, unmatched: 0, left_out: [] },
  });
  expect(readFileSync(own, 'utf8')).not.toContain(key);
  replayed.kill('SIGTERM');
  await once(replayed, 'exit');
});

test('rules from the command line are written to the file, so that a replay needs no flags', async () => {
  const hosted = await scriptedServer((_request, response) => sendJson(response, 200, { ok: true }));
  const rules = join(folder, 'rules.jsonl');
  const program = (day: string) => {
    const code = `fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ day: '${day}' }),
    }).then((response) => { process.exitCode = response.ok ? 0 : 3; })`;
    return ['--', process.execPath, '-e', code];
  };
  const flags = [
    '--upstream',
    `${hosted.url}/v1`,
    '--match',
    String.raw`body.day=/\d+/`,
    '--match',
    'body.tools=set',
  ];
  expect(await askd(['record', rules, ...flags, ...program('May 1')])).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(readFileSync(rules, 'utf8').split('\n')[0] ?? '')).toEqual({
    cassette: 1,
    match: { 'body.day': String.raw`/\d+/`, 'body.tools': 'set' },
  });
  expect(await askd(['replay', rules, ...program('May 23')])).toMatchObject({ exitCode: 0 });
  expect(await askd(['replay', rules, ...program('June 1')])).toMatchObject({ exitCode: 3 });
});

test.each([
  ['body.tools', '--match "body.tools" is not FIELD=RULE.'],
  ['body.tools=any', '"body.tools" must have a /pattern/ or the word set.'],
])('the rule %s is refused before anything is started', async (rule, message) => {
  const { stderr, exitCode } = await askd([
    'record',
    join(folder, 'no.jsonl'),
    '--match',
    rule,
    '--',
    'node',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) as string });
});

test('without a program it records until Ctrl-C', async () => {
  const upstream = await scriptedServer((_request, response) => sendJson(response, 200, { answer: 1 }));
  const own = join(temporaryFolder(), 'until-interrupted.jsonl');
  const recording = execa(process.execPath, [ASKD, 'record', own, '--upstream', upstream.url, '--json'], {
    reject: false,
  });
  onTestFinished(() => void recording.kill('SIGKILL'));
  const { OPENAI_BASE_URL } = await printed(recording.stdout);
  for (const input of ['a', 'b'])
    await fetch(`${OPENAI_BASE_URL}/embeddings`, { method: 'POST', body: JSON.stringify({ input }) });
  recording.kill('SIGINT');
  const { exitCode, stderr } = await recording;
  expect(exitCode).toBe(0);
  expect(stderr).toBe(`Recording ${own}. Ctrl-C stops it.\n2 recorded in ${own}.`);
  expect(readFileSync(own, 'utf8').trimEnd().split('\n')).toEqual([
    '{"cassette":1}',
    expect.stringContaining('{"input":"a"}'),
    expect.stringContaining('{"input":"b"}'),
  ]);
});

test('a missing or a damaged file, a wrong address and a missing program are named', async () => {
  const damaged = join(temporaryFolder(), 'damaged.jsonl');
  writeFileSync(damaged, '{"cassette":1}\n{"request":');
  const nothing = join(temporaryFolder(), 'nothing.jsonl');
  expect(await askd(['replay', nothing])).toMatchObject({
    stderr: expect.stringContaining(`askd record ${nothing} -- COMMAND`) as string,
    exitCode: 5,
  });
  expect(await askd(['replay', damaged])).toMatchObject({
    stderr: expect.stringContaining('line 2: It is not JSON, or is truncated.') as string,
    exitCode: 9,
  });
  expect(await askd(['record', nothing, '--upstream', 'ftp://nowhere', '--', 'true'])).toMatchObject({
    stderr: expect.stringContaining('is not an address such as https://api.openai.com/v1') as string,
    exitCode: 2,
  });
  expect(await askd(['replay', file, '--', 'no-such-program'])).toMatchObject({
    stderr: 'error: There is no program "no-such-program".',
    exitCode: 5,
  });
  expect(existsSync(nothing)).toBe(false);
});

async function printed(stream: NodeJS.ReadableStream): Promise<Record<string, string>> {
  let text = '';
  return new Promise((resolve) => {
    stream.on('data', (part: Buffer) => {
      text += part.toString();
      if (text.endsWith('}\n')) resolve(JSON.parse(text) as Record<string, string>);
    });
  });
}
