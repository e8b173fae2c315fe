import { copyFileSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { binFile, packagedFile } from '../../src/base/paths.ts';
import { ANSWERED, AS_SERVER } from './as-server.ts';
import { installClient } from './install.ts';
import { SAID } from './models.ts';
import type { Pin } from './pins.ts';
import { runProgram } from './run.ts';
import type { World } from './world.ts';

export type Feature = { name: string; isOk: boolean; error?: string };
export type Checked = { client: string; version: string; features: Feature[]; ignored: string[] };

const AGENT_MS_MAX = 300_000;
const LIBRARY_MS_MAX = 180_000;

/** What follows `--` in askd launch, so that each agent answers one question and exits. */
const QUESTION = 'read the file notes.txt and say what it says';
const ONE_QUESTION: Readonly<Record<string, readonly string[]>> = {
  claude: ['-p', QUESTION, '--allowedTools', 'Read'],
  codex: ['exec', '--skip-git-repo-check', QUESTION],
  opencode: ['run', QUESTION],
  cn: ['-p', QUESTION],
};

type Task = { model: string; args: readonly string[]; answer: string };

/**
 * Started by askd launch, an agent has to read a file with its own tool and repeat its content. Some then use askd as
 * an MCP server.
 */
export async function checkAgent(pin: Pin, world: World): Promise<Checked> {
  const folder = await installClient(pin);
  const path = [join(folder, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  async function feature(name: string, { model, args, answer }: Task): Promise<Feature> {
    const launch = ['launch', pin.client, '--yes', '--model', model, '--', ...args];
    const { stdout, stderr, code } = await runProgram(process.execPath, [binFile('askd.js'), ...launch], {
      cwd: world.project,
      env: { ...world.env, PATH: path },
      timeoutMs: AGENT_MS_MAX,
    });
    const isOk = code === 0 && stdout.includes(answer);
    const error = isOk ? {} : { error: `exit ${code}: ${(stderr + stdout).trim().slice(-400)}` };
    return { name, isOk, ...error };
  }
  return checked(pin, world, async () => {
    const reads = { model: pin.client, args: ONE_QUESTION[pin.client] ?? [], answer: SAID };
    const features = [await feature('reads a file with its tool and answers', reads)];
    const asServer = AS_SERVER[pin.client]?.({ ...world, home: world.env.ASKD_HOME });
    if (asServer === undefined) return features;
    const calls = { model: 'scripted', answer: ANSWERED };
    return [
      ...features,
      await feature('calls askd as an MCP server that it starts', { ...calls, args: asServer.started }),
      await feature('calls askd as an MCP server over HTTP', { ...calls, args: asServer.overHttp }),
    ];
  });
}

/** A library runs in a separate process, beside its packages. */
export async function checkLibrary(pin: Pin, world: World): Promise<Checked> {
  const folder = await installClient(pin);
  const probes = packagedFile('scripts/clients/probes');
  for (const file of readdirSync(probes)) copyFileSync(join(probes, file), join(folder, file));
  return checked(pin, world, async () => {
    const { stdout, stderr, code } = await runProgram(process.execPath, [join(folder, `${pin.client}.mjs`)], {
      cwd: folder,
      env: { BASE_URL: world.baseUrl, API_KEY: world.key },
      timeoutMs: LIBRARY_MS_MAX,
    });
    const features = stdout.split('\n').filter((line) => line.startsWith('{'));
    const reported = features.map((line) => JSON.parse(line) as Feature);
    if (code === 0) return reported;
    return [...reported, { name: 'runs to its end', isOk: false, error: stderr.trim().slice(-400) }];
  });
}

/** What it does, and which parameters of its requests had no effect. */
export async function checked(pin: Pin, world: World, check: () => Promise<Feature[]>): Promise<Checked> {
  const counts = async () =>
    new Map(
      (await world.ignored()).map(({ route, parameter, requests }) => [
        `${route} ${parameter}`,
        { parameter, requests },
      ]),
    );
  const before = await counts();
  const features = await check();
  const after = [...(await counts())];
  const grown = after.filter(([id, { requests }]) => requests > (before.get(id)?.requests ?? 0));
  const [version = ''] = Object.values(pin.packages);
  return {
    client: pin.client,
    version,
    features,
    ignored: [...new Set(grown.map(([, { parameter }]) => parameter))].sort(),
  };
}
