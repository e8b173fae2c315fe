import { describe, expect, test, vi } from 'vitest';
import { answer, chatBodies, chatServer, finish, shows, USAGE } from '../../helpers/servers/chat-server.ts';
import { runCli, startCli } from '../../helpers/terminal/cli.ts';
import { sendChunk, sendEvent, sendJson } from '../../helpers/servers/scripted-server.ts';

describe('one prompt', () => {
  test('streams the reply to stdout, and nothing else', async () => {
    const server = await chatServer(answer('Grüße', ' aus', ' Zürich'));
    const { code, stdout, stderr } = await runCli(['chat', 'say', 'hello', '--host', server.url]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Grüße aus Zürich\n', stderr: '' });
    expect(chatBodies(server.seen)).toEqual([
      { model: 'svc-chat-v1', messages: [{ role: 'user', content: 'say hello' }], stream: true },
    ]);
  });

  test('appends piped input to the words of the prompt', async () => {
    const server = await chatServer(answer('ok'));
    await runCli(['chat', 'summarise', '--host', server.url], { input: 'a file\n' });
    await runCli(['chat', '-', '--host', server.url], { input: 'only this\n' });
    expect(chatBodies(server.seen).map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: 'summarise\n\na file' }],
      [{ role: 'user', content: 'only this' }],
    ]);
  });

  test('passes every flag on', async () => {
    const server = await chatServer(answer('ok'));
    const flags = '-m x -s sys --max-tokens 9 --temperature 0.5 --top-p 0.9 --stop A --stop B --seed 7';
    await runCli(['chat', ...flags.split(' '), 'hi', '--host', server.url]);
    expect(chatBodies(server.seen)[0]).toMatchObject({
      model: 'x',
      messages: [{ role: 'system', content: 'sys' }, { role: 'user' }],
      max_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['A', 'B'],
      seed: 7,
    });
  });

  test('sends the key from the environment to the server from the environment', async () => {
    const server = await chatServer(answer('ok'));
    const env = { ASKD_BASE_URL: `${server.url}/v1`, ASKD_API_KEY: 'ask_there' };
    expect((await runCli(['chat', 'hi'], { env })).code).toBe(0);
    expect(server.seen.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer ask_there',
      'Bearer ask_there',
    ]);
  });

  test('shows the notice about the model once, on stderr', async () => {
    const server = await chatServer(answer('ok'), 'This is a placeholder.');
    const { stdout, stderr } = await runCli(['chat', 'hi', '--host', server.url]);
    expect({ stdout, stderr }).toEqual({ stdout: 'ok\n', stderr: 'note: This is a placeholder.\n' });
    expect((await runCli(['chat', 'hi', '--quiet', '--host', server.url])).stderr).toBe('');
  });

  test('with --json is one document', async () => {
    const server = await chatServer(answer('Hello', ' you'));
    const { stdout } = await runCli(['chat', 'hi', '--json', '--host', server.url]);
    expect(JSON.parse(stdout)).toEqual({
      schema: 'chat/1',
      model: 'm',
      content: 'Hello you',
      finish_reason: 'stop',
      usage: USAGE,
      stats: {
        first_token_ms: expect.any(Number) as number,
        total_ms: expect.any(Number) as number,
        tokens_per_second: expect.toBeOneOf([expect.any(Number), null]) as number,
      },
    });
    expect(chatBodies(server.seen)[0]).toMatchObject({ stream_options: { include_usage: true } });
  });

  test('with --no-stream comes in one piece', async () => {
    const server = await chatServer((_, response) =>
      sendJson(response, 200, {
        model: 'm',
        choices: [{ message: { content: 'Hello' }, finish_reason: 'length' }],
        usage: USAGE,
      }),
    );
    const { stdout, stderr } = await runCli(['chat', 'hi', '--no-stream', '--stats', '--host', server.url]);
    expect(stdout).toBe('Hello\n');
    expect(stderr).toMatch(/cut off at the maximum length[^]*3 tokens in \(1 cached\), 2 out/);
    expect(chatBodies(server.seen)[0]).not.toHaveProperty('stream');
  });

  test('keeps the text of a reply that fails midway, and exits with an error', async () => {
    const server = await chatServer((_, response) => {
      sendChunk(response, 'So far');
      sendEvent(response, {
        error: {
          message: 'The model process ended.',
          code: 'runner_crashed',
          type: 'server_error',
          param: null,
        },
      });
      response.end();
    });
    const { code, stdout, stderr } = await runCli(['chat', 'hi', '--host', server.url]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'So far\n' });
    expect(stderr).toBe('error: The model process ended.\nfix: try again; askd logs shows the reason\n');
    const json = await runCli(['chat', 'hi', '--json', '--host', server.url]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ content: 'So far', finish_reason: null });
  });

  test('fails when the stream ends before it is complete', async () => {
    const server = await chatServer((_, response) => {
      sendChunk(response, 'So far');
      response.end();
    });
    const { code, stdout, stderr } = await runCli(['chat', 'hi', '--host', server.url]);
    expect({ code, stdout }).toEqual({ code: 6, stdout: 'So far\n' });
    expect(stderr).toContain('before the reply was complete');
  });

  test('prints nothing on stdout when the request is refused', async () => {
    const server = await chatServer((_, response) =>
      sendJson(response, 401, {
        error: { message: 'Bad key.', code: 'invalid_api_key', type: 'x', param: null },
      }),
    );
    const { code, stdout, stderr } = await runCli(['chat', 'hi', '--json', '--host', server.url]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^error: Bad key\.\nfix: askd keys create/);
  });

  test('gives a pipe the exact text, and a terminal a harmless one', async () => {
    const text = 'a\u001b[31mb\u202e';
    const server = await chatServer(answer('a\u001b[3', '1mb\u202e'));
    expect((await runCli(['chat', 'hi', '--host', server.url])).stdout).toBe(`${text}\n`);
    expect((await runCli(['chat', 'hi', '--host', server.url], { terminal: true })).stdout).toBe('ab\n');
  });

  test('without a prompt and without a terminal is wrong usage', async () => {
    const { code, stderr } = await runCli(['chat']);
    expect(code).toBe(2);
    expect(stderr).toBe('error: There is no prompt.\nfix: askd chat "PROMPT"\n');
  });
});

describe('a conversation', () => {
  test('remembers what was said, and ends with /bye', async () => {
    const server = await chatServer(answer('Hello', ' you'), 'A note.');
    const chat = startCli(['chat', '-s', 'be kind', '--host', server.url]);
    await shows(chat, '>>> ');
    chat.type('first\r');
    await shows(chat, 'Hello you');
    chat.type('"""second\r');
    await shows(chat, '... ');
    chat.type('of two"""\r');
    await vi.waitFor(() => expect(chat.screen().match(/Hello you/g)).toHaveLength(2), 20_000);
    chat.type('/bye\r');
    expect(await chat.exit).toBe(0);
    expect(chat.written().stderr).toMatch(/^note: A note\.\nsvc-chat-v1 · \/\? for help\n/);
    expect(chatBodies(server.seen)[1]?.['messages']).toEqual([
      { role: 'system', content: 'be kind' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'Hello you' },
      { role: 'user', content: 'second\nof two' },
    ]);
  });

  test('takes a paste of many lines as one message', async () => {
    const server = await chatServer(answer('ok'));
    const chat = startCli(['chat', '--host', server.url]);
    await shows(chat, '>>> ');
    chat.type('one\rtwo\rthr');
    chat.type('ee\r');
    await shows(chat, 'ok');
    chat.type('\u0004');
    expect(await chat.exit).toBe(0);
    expect(chatBodies(server.seen)[0]?.['messages']).toEqual([{ role: 'user', content: 'one\ntwo\nthree' }]);
  });

  test('what is typed while a reply is written is read after it, each line by itself', async () => {
    let finishReply: (() => void) | undefined;
    const server = await chatServer((request, response) => {
      if (finishReply) return answer('second')(request, response);
      sendChunk(response, 'half a ');
      finishReply = () => finish(response);
    });
    const chat = startCli(['chat', '--host', server.url]);
    await shows(chat, '>>> ');
    chat.type('go\r');
    await shows(chat, 'half a');
    chat.type('/set temperature 0.5\r');
    chat.type('go on\r');
    chat.type('/bye\r');
    finishReply?.();
    expect(await chat.exit).toBe(0);
    expect(chatBodies(server.seen)[1]).toMatchObject({
      temperature: 0.5,
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: 'half a ' },
        { role: 'user', content: 'go on' },
      ],
    });
  });

  test('the terminal stays raw from a reply to the next prompt, so that no key is lost between them', async () => {
    const server = await chatServer(answer('ok'));
    const chat = startCli(['chat', '--host', server.url]);
    await shows(chat, '>>> ');
    chat.type('go\r');
    await shows(chat, 'ok');
    await vi.waitFor(() => expect(chat.modes).toHaveLength(6), 20_000);
    expect(chat.modes).toEqual([true, true, false, true, true, true]);
    chat.type('\u0004');
    expect(await chat.exit).toBe(0);
    expect(chat.modes.at(-1)).toBe(false);
  });

  test('Ctrl-C stops the reply, ends its request and keeps the conversation', async () => {
    const closed = vi.fn();
    const server = await chatServer(({ body }, response) => {
      response.on('close', closed);
      sendChunk(response, 'half a ');
      if ((body as { messages: unknown[] }).messages.length > 1) finish(response);
    });
    const chat = startCli(['chat', '--host', server.url]);
    await shows(chat, '>>> ');
    chat.type('go\r');
    await shows(chat, 'half a');
    chat.type('\u0003');
    await vi.waitFor(() => expect(chat.written().stderr).toContain('(stopped)'), 20_000);
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 20_000);
    chat.type('go on\r');
    await vi.waitFor(() => expect(chat.screen().match(/half a/g)).toHaveLength(2), 20_000);
    chat.type('\u0004');
    expect(await chat.exit).toBe(0);
    expect(chatBodies(server.seen)[1]?.['messages']).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'half a ' },
      { role: 'user', content: 'go on' },
    ]);
  });

  test('continues after a failure, without the question that failed', async () => {
    let failed = false;
    const server = await chatServer((request, response) => {
      if (failed) return answer('better')(request, response);
      failed = true;
      sendJson(response, 400, {
        error: { message: 'Too long.', code: 'context_length_exceeded', type: 'x', param: null },
      });
    });
    const chat = startCli(['chat', '--host', server.url]);
    await shows(chat, '>>> ');
    chat.type('one\r');
    await vi.waitFor(() => expect(chat.written().stderr).toContain('error: Too long.'), 20_000);
    chat.type('two\r');
    await shows(chat, 'better');
    chat.type('\u0004');
    expect(await chat.exit).toBe(0);
    expect(chatBodies(server.seen)[1]?.['messages']).toEqual([{ role: 'user', content: 'two' }]);
  });
});
