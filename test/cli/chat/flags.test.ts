import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answer, chatBodies, chatServer, finish, last } from '../../helpers/servers/chat-server.ts';
import { runCli } from '../../helpers/terminal/cli.ts';
import { pictureFile } from '../../helpers/models/image-files.ts';
import { sendChunk, sendJson } from '../../helpers/servers/scripted-server.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

function fileOf(content: string | Buffer, name = 'file'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

async function ask(flags: readonly string[], reply = answer('ok'), terminal = false) {
  const server = await chatServer(reply);
  const run = await runCli(['chat', 'hi', ...flags, '--host', server.url], { terminal });
  return { ...run, body: chatBodies(server.seen)[0], seen: server.seen };
}

test('--schema binds the reply, which is printed as it is also on a terminal', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const json = '{"name": "**Ada** _L_"}';
  const { body, stdout } = await ask(['--schema', fileOf(JSON.stringify(schema))], answer(json), true);
  expect(body).toMatchObject({ response_format: { type: 'json_schema', json_schema: { schema } } });
  expect(stdout).toBe(`${json}\n`);
});

test('--schema rejects an invalid file and a missing one before anything is asked', async () => {
  const broken = await ask(['--schema', fileOf('{')]);
  expect(broken).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('cannot be read as a JSON schema') as string,
  });
  const missing = await ask(['--schema', '/nothing.json']);
  expect(missing).toMatchObject({ code: 2, seen: [] });
});

test.each([
  ['off', 'none'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
])('--think %s asks for the effort %s', async (effort, sent) => {
  expect((await ask(['--think', effort])).body).toMatchObject({ reasoning_effort: sent });
});

test('--think rejects an unknown effort', async () => {
  const { code, stderr, seen } = await ask(['--think', 'much']);
  expect({ code, seen }).toEqual({ code: 2, seen: [] });
  expect(stderr).toMatch(/Allowed choices are off, low, medium, high.*\nfix: askd chat --help/);
});

test('thoughts stay out of the reply; a terminal mentions them once, and --json has them', async () => {
  const thinking: Parameters<typeof chatServer>[0] = (_, response) => {
    for (const thought of ['let me ', 'see'])
      sendChunk(response, '', {
        choices: [{ index: 0, delta: { reasoning_content: thought }, finish_reason: null }],
      });
    sendChunk(response, 'It is 4.');
    sendChunk(response, '', last);
    finish(response);
  };
  expect(await ask([], thinking)).toMatchObject({ stdout: 'It is 4.\n', stderr: '' });
  expect(await ask([], thinking, true)).toMatchObject({ stdout: 'It is 4.\n', stderr: 'thinking…\n' });
  const { stdout } = await ask(['--json'], thinking);
  expect(JSON.parse(stdout)).toMatchObject({ content: 'It is 4.', reasoning: 'let me see' });
});

test('--show-prompt prints what the model read to stderr, and needs a prompt', async () => {
  const debugging: Parameters<typeof chatServer>[0] = (_, response) => {
    sendChunk(response, '', { debug: { prompt: '<|user|>hi ' } });
    sendChunk(response, 'ok');
    sendChunk(response, '', last);
    finish(response);
  };
  const { stdout, stderr, seen } = await ask(['--show-prompt'], debugging);
  expect(stderr).toBe('<|user|>hi \n');
  expect(stdout).toBe('ok\n');
  expect(seen.at(-1)?.headers['x-askd-debug']).toBe('prompt');
  const refused = await runCli(['chat', '--show-prompt'], { terminal: true });
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('askd chat --show-prompt "PROMPT"') as string,
  });
});

test('--stats is a line on stderr behind the reply', async () => {
  const { stdout, stderr, body } = await ask(['--stats']);
  expect(stdout).toBe('ok\n');
  expect(stderr).toMatch(/^3 tokens in \(1 cached\), 2 out · first token after \d+ ms · \d+\.\d s/);
  expect(body).toMatchObject({ stream_options: { include_usage: true } });
  expect((await ask(['--stats', '--quiet'])).stderr).toBe('');
});

test('--image sends each file with the prompt, and rejects anything but an image before anything is asked', async () => {
  const [a, b] = [
    fileOf(await pictureFile('red'), 'a.png'),
    fileOf(await pictureFile('lime', 'webp'), 'b.webp'),
  ];
  const { body } = await ask(['--image', a, '-i', b]);
  expect(body).toMatchObject({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          {
            type: 'image_url',
            image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) as string },
          },
          {
            type: 'image_url',
            image_url: { url: expect.stringMatching(/^data:image\/webp;base64,/) as string },
          },
        ],
      },
    ],
  });
  const text = await ask(['--image', fileOf('text', 'a.png')]);
  expect(text).toMatchObject({
    code: 2,
    body: undefined,
    stderr: expect.stringContaining('is not a PNG, JPEG, WebP or GIF image') as string,
  });
  expect(await ask(['--image', '/nothing.png'])).toMatchObject({ code: 5, body: undefined });
  const alone = await runCli(['chat', '--image', a], { terminal: true });
  expect(alone).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('askd chat --image FILE "PROMPT"') as string,
  });
});

test('a model without vision causes an error that says so', async () => {
  const { code, stdout, stderr } = await ask(
    ['--image', fileOf(await pictureFile('red'), 'a.png')],
    (_, response) =>
      sendJson(response, 400, {
        error: {
          message: 'm does not read images.',
          code: 'model_capability_mismatch',
          type: 'x',
          param: 'messages',
        },
      }),
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe('error: m does not read images.\nfix: askd models shows what each model is for\n');
});
