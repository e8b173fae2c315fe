import { join } from 'node:path';
import { mcpOf, SERVE } from './as-server.ts';
import { checked, type Checked, type Feature } from './check.ts';
import { installClient } from './install.ts';
import type { Pin } from './pins.ts';
import { runProgram } from './run.ts';
import type { World } from './world.ts';

const MS_MAX = 120_000;
const CALL = ['--method', 'tools/call', '--tool-name', 'chat', '--tool-arg', 'prompt=ping', 'model=scripted'];

/** The official inspector lists askd's tools, finds no fault with any schema, and calls one, over both transports. */
export async function checkInspector(pin: Pin, world: World): Promise<Checked> {
  const folder = await installClient(pin);
  const program = join(folder, 'node_modules', '.bin', 'mcp-inspector');
  async function feature(name: string, args: readonly string[], answer: string): Promise<Feature> {
    const { code, stdout, stderr } = await runProgram(program, ['--cli', ...args], {
      cwd: world.project,
      env: world.env,
      timeoutMs: MS_MAX,
    });
    const isOk = code === 0 && stdout.includes(answer);
    return { name, isOk, ...(!isOk && { error: `exit ${code}: ${(stderr + stdout).trim().slice(-400)}` }) };
  }
  const started = [process.execPath, ...SERVE, '-e', `ASKD_HOME=${world.env.ASKD_HOME}`];
  const overHttp = [mcpOf(world.baseUrl), '--header', `Authorization: Bearer ${world.key}`];
  return checked(pin, world, async () => [
    await feature('lists tools over stdio', [...started, '--method', 'tools/list', '--strict'], '"chat"'),
    await feature('calls a tool over stdio', [...started, ...CALL], 'pong from a local model'),
    await feature('lists tools over HTTP', [...overHttp, '--method', 'tools/list', '--strict'], '"chat"'),
    await feature('calls a tool over HTTP', [...overHttp, ...CALL], 'pong from a local model'),
  ]);
}

/** What follows the command of each server. */
const ARGUMENTS: Readonly<Record<string, (world: World) => string[]>> = {
  filesystem: ({ project }) => [project],
  everything: () => ['stdio'],
  memory: () => [],
};

/** A reference server is added, its tools are listed, and a model calls one of them. */
export async function checkServer(pin: Pin, world: World): Promise<Checked> {
  const name = pin.client.replace('server-', '');
  const folder = await installClient(pin);
  const command = [
    join(folder, 'node_modules', '.bin', `mcp-server-${name}`),
    ...(ARGUMENTS[name]?.(world) ?? []),
  ];
  return checked(pin, world, async () => [
    await attempt('is added and lists its tools', async () => {
      await world.askd('mcp', 'add', name, '--', ...command);
      await world.askd('mcp', 'allow', name, '--key', 'check-clients');
    }),
    await attempt('a model calls its tool', () => callOf(name, world)),
  ]);
}

async function callOf(name: string, { baseUrl, key }: World): Promise<void> {
  const response = await fetch(`${baseUrl}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ model: 'scripted', input: `Use ${name}.` },
      tools: [{ type: 'mcp', server_label: name, require_approval: 'never' }],
    }),
  });
  const { output = [] } = (await response.json()) as {
    output?: { type: string; error?: unknown; output?: unknown }[];
  };
  const call = output.find(({ type }) => type === 'mcp_call');
  if (call?.output == null || call.error != null) throw new Error(JSON.stringify(output).slice(0, 400));
}

async function attempt(name: string, work: () => Promise<void>): Promise<Feature> {
  try {
    await work();
    return { name, isOk: true };
  } catch (error) {
    return { name, isOk: false, error: (error as Error).message };
  }
}
