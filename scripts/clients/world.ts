import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Status } from '../../src/api/management/daemon.ts';
import { binFile } from '../../src/base/paths.ts';
import { answersOf } from './as-server.ts';
import { clientModels, NOTES } from './models.ts';
import { runProgram } from './run.ts';

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A separate daemon with models for the clients, a project with a file to read, and a home for their settings. */
export async function openWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'askd-check-clients-'));
  const project = join(folder, 'project');
  const user = join(folder, 'user');
  for (const each of [project, user]) mkdirSync(each);
  const notes = join(project, 'notes.txt');
  writeFileSync(notes, `${NOTES}\n`);
  const answers = join(folder, 'answers.json');
  writeFileSync(answers, JSON.stringify(answersOf(notes)));
  const env = {
    ASKD_HOME: join(folder, 'askd'),
    ASKD_PORT: '0',
    ASKD_MODEL_SLOTS: '1',
    ASKD_MODEL_CONTEXT_TOKENS: '131072',
    ASKD_OLLAMA_API: 'on',
    ASKD_SCRIPTED_ANSWERS: answers,
  };
  const askd = async (...args: string[]): Promise<unknown> => {
    const command = [binFile('askd.js'), '--json', ...args];
    const { code, stdout, stderr } = await runProgram(process.execPath, command, {
      cwd: project,
      env,
      timeoutMs: 120_000,
    });
    if (code !== 0) throw new Error(`askd ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const { base_url: baseUrl } = (await askd('up')) as { base_url: string };
  for (const [id, write] of Object.entries(clientModels(notes))) {
    const file = join(folder, `${id}.gguf`);
    await write(file);
    await askd('import', file, '--id', id);
  }
  const { key } = (await askd('keys', 'create', '--name', 'check-clients')) as { key: string };
  return {
    askd,
    project,
    env: { ...env, HOME: user, XDG_CONFIG_HOME: join(user, '.config'), XDG_DATA_HOME: join(user, '.data') },
    baseUrl,
    key,
    ignored: async () => ((await askd('status')) as Status).ignored_parameters,
    async close(): Promise<void> {
      await askd('down');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
