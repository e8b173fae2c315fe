import { expect, test } from 'vitest';
import { commandsOf, openExamples } from '../helpers/examples.ts';
import { endlessModel } from '../helpers/models/models.ts';

const WHOLE = /= 43$/m;

test('the chats of Node and Python answer, whole and streamed', async () => {
  const { run } = await openExamples();
  const commands = [...commandsOf('chat-stream.js'), ...commandsOf('chat.py')];
  expect(commands).toHaveLength(3);
  for (const command of commands) {
    expect(await run(command)).toEqual({
      stdout: expect.stringMatching(WHOLE),
      stderr: '',
      exitCode: 0,
    });
  }
});

test('a streamed answer is printed before the model has finished', async () => {
  const { askd, start } = await openExamples();
  const { path } = await endlessModel();
  await askd(['import', path, '--id', 'endless', '--no-check']);
  await askd(['bind', 'svc-chat-v1', 'endless']);
  const streamed = [...commandsOf('chat-stream.js'), ...commandsOf('chat.py')].filter((command) =>
    command.includes('stream'),
  );
  expect(streamed).toHaveLength(2);
  for (const command of streamed) {
    const { running, prints, stop } = start(command);
    await prints(/and so on/);
    expect(running.exitCode).toBe(null);
    await stop('SIGINT');
  }
});

test('the Python chat prints the message of a rejected request', async () => {
  const { run } = await openExamples();
  const [command = ''] = commandsOf('chat.py');
  const { stderr, exitCode } = await run(command, { OPENAI_API_KEY: 'ask_wrong' });
  expect([stderr, exitCode]).toEqual([
    expect.stringMatching(/^The API key is not valid.*askd keys create/),
    1,
  ]);
});
