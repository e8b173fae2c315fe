import { expect, test } from 'vitest';
import { createClient } from '../../../cli/client/client.ts';
import { runSlashCommand, type Conversation } from '../../../cli/chat/slash-commands.ts';
import { createSavedChat } from '../../../cli/chat/saved-chats.ts';
import { createCompletion } from '../../../cli/chat/terminal/slash-completion.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';

const REFUSAL =
  /The model `svc-embed-v1` is for embedding, not for chat\. Models that chat: (svc-chat-v1, )?.*\bm\./;

/** A daemon with one chat model, and a conversation with it. */
async function chatting() {
  const daemon = await startDaemon();
  announce(daemon);
  const { port, services } = daemon;
  const { path } = await scriptedModel('From here.');
  await services.library.importArtifact({ id: 'm', path, mode: 'link' });
  const target = { url: `http://127.0.0.1:${port}`, token: services.rootToken.current(), remote: false };
  const client = createClient(target, new AbortController().signal);
  const conversation: Conversation = {
    options: { model: 'm', stream: true },
    messages: [],
    over: false,
    saved: createSavedChat(async () => client.chats),
    attachments: { files: [], canSee: async () => false },
    copy: async () => undefined,
  };
  return { daemon, client, conversation };
}

test('/model refuses a model that cannot chat, names those that can, and keeps the current one', async () => {
  const { client, conversation } = await chatting();
  const said = await runSlashCommand(conversation, '/model svc-embed-v1', { client });
  expect(said).toMatch(REFUSAL);
  expect(said).toMatch(/\nThe model is still m\.$/);
  expect(conversation.options.model).toBe('m');
});

test('a conversation does not begin with a model that cannot chat', async () => {
  const { daemon } = await chatting();
  const { code, stdout, stderr } = await runCli(['chat', '-m', 'svc-embed-v1'], {
    home: daemon.home,
    terminal: true,
  });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(REFUSAL);
  expect(stderr).toMatch(/fix: askd chat -m /);
});

test('Tab completes /model to models that can chat', async () => {
  const { client, conversation } = await chatting();
  const complete = createCompletion(client, conversation, () => undefined);
  const names = (await complete('/model '))?.candidates.map(({ text }) => text);
  expect(names).toEqual(expect.arrayContaining(['svc-chat-v1', 'svc-code-v1', 'm']));
  expect(names).not.toContain('svc-embed-v1');
});
