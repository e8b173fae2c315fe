import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { binFile } from '../../../../src/base/paths.ts';
import { eventually } from '../../../helpers/daemon/chat.ts';
import { openEveryService } from '../../../helpers/daemon/every-service.ts';
import { install } from '../../../helpers/daemon/installation.ts';
import { newClient, REVISIONS, textOf } from '../../../helpers/servers/mcp/clients.ts';
import { spoken, wavOf } from '../../../helpers/models/sounds.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';
import { announce, runCli } from '../../../helpers/terminal/cli.ts';

const MINUTE = 60_000;

/** The real program, started as an MCP client starts it. */
async function startServer(env: Record<string, string>, mode: (typeof REVISIONS)[number] = 'legacy') {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binFile('askd.js'), 'mcp', 'serve'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe',
  });
  const client = newClient(mode);
  const wrong: Error[] = [];
  client.onerror = (error) => wrong.push(error);
  onTestFinished(() => client.close());
  await client.connect(transport);
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });
  return { client, call, wrong, pid: transport.pid ?? 0 };
}

describe('askd mcp serve', () => {
  test.each(REVISIONS)(
    "reads and writes its user's files, for a client that negotiates as %s",
    { timeout: 2 * MINUTE },
    async (mode) => {
      const daemon = await openEveryService();
      announce(daemon);
      const { client, call, wrong } = await startServer({ ASKD_HOME: daemon.home }, mode);
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_documents');
      expect(textOf(await call('chat', { prompt: 'Hi', model: 'translator' }))).toBe('Bonjour le monde.');

      const folder = temporaryFolder();
      const sound = join(folder, 'hello.wav');
      writeFileSync(sound, wavOf(spoken('hello')));
      expect(await call('transcribe', { path: sound })).not.toMatchObject({ isError: true });
      expect(textOf(await call('transcribe', { path: 'hello.wav' }))).toContain('absolute path');
      expect(textOf(await call('transcribe', { path: join(folder, 'none.wav') }))).toContain('ENOENT');

      const speech = join(folder, 'speech.wav');
      const speak = () => call('speak', { input: 'Hello.', response_format: 'wav', save_as: speech });
      expect(textOf(await speak())).toContain(`as ${speech}`);
      expect(readFileSync(speech).subarray(0, 4).toString()).toBe('RIFF');
      expect(textOf(await speak())).toContain('exists already');
      const picture = join(folder, 'fox.png');
      await call('image', { prompt: 'a fox', size: '256x256', steps: 1, save_as: picture });
      expect(existsSync(picture)).toBe(true);
      expect(wrong).toEqual([]);
    },
  );

  test(
    'starts the daemon at the first call, writes nothing but the protocol, and ends with its client',
    { timeout: 2 * MINUTE },
    async () => {
      const { environment, presence } = install();
      const { client, call, wrong, pid } = await startServer(environment);
      await client.listTools();
      expect(presence()).toBeUndefined();
      expect(await call('chat', { prompt: 'What is 2 + 2?' })).not.toMatchObject({ isError: true });
      expect(presence()).toBeDefined();
      expect(wrong).toEqual([]);
      await client.close();
      await eventually(() => isRunning(pid)).toBe(false);
    },
  );

  test('ends when its input does', async () => {
    expect(await runCli(['mcp', 'serve'], { home: temporaryFolder() })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
