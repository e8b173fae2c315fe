import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';

const MINUTE = 60_000;

describe('the chat model that ships with askd', { timeout: MINUTE }, () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await openDaemon({ ASKD_OFFLINE: 'true' });
  });
  afterAll(() => daemon.close());

  type Reply = { choices: { message: { content: string } }[] };
  const ask = async (content: string, model = 'svc-chat-v1') => {
    const body = { model, temperature: 0, messages: [{ role: 'user', content }] };
    const reply = await daemon.call('POST', '/v1/chat/completions', { token: daemon.key, body });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    return reply.json<Reply>().choices[0]?.message.content ?? '';
  };

  test.each([
    ['how do I add a webhook?', 'askd webhooks add'],
    ['How do I create an API key?', 'askd keys create'],
    ['I want to see my balance', 'askd wallet balance'],
    ['How can I stop the daemon?', 'askd down'],
    ['which command lets me download a model?', 'askd pull'],
    ['How do I search my documents?', 'askd docs search'],
  ])('names the command for "%s"', async (question, command) => {
    expect(await ask(question)).toContain(`\`${command}`);
  });

  test('says what it is, and does not guess what it cannot know', async () => {
    expect(await ask('Who are you?')).toContain('starter model of askd');
    expect(await ask('What is the capital of France?')).toContain('askd pull svc-chat-v1');
  });
});
