import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { Failure } from '../../src/base/errors.ts';
import type { Environment } from '../../src/config/config.ts';
import { confirm } from '../prompt/confirm.ts';
import type { Context } from '../context.ts';
import type { Client, Folders, Launch, Server } from './client.ts';
import { applyChange, diffOf, planChange } from './config-change.ts';
import { keyFor } from './key.ts';
import { chooseModel } from './model.ts';
import { isOnPath } from './on-path.ts';
import { trustFor } from './trust.ts';

export type LaunchOptions = {
  model?: string;
  print?: true;
  yes?: true;
  force?: true;
  restore?: true;
};

/** Keys of clients and backups of their files. */
export function launchFolder({ paths }: Pick<Context, 'paths'>): string {
  return join(paths.home, 'clients');
}

/** Configures a client for this server and starts it. Resolves to its exit code. */
export async function launchClient(
  context: Context,
  client: Client,
  { args, options }: { args: readonly string[]; options: LaunchOptions },
): Promise<number> {
  const { environment, output } = context;
  if (!options.print) requireProgram(client, environment);
  const server = await serverFor(context, client, options);
  const trust = await trustFor(context, client, launchFolder(context));
  const wanted = client.launch(server, foldersOf(environment));
  const launch = { ...wanted, env: { ...wanted.env, ...trust } };
  const command = [client.program, ...launch.args, ...args];
  if (options.print) {
    await print(context, { client, server, launch, command });
    return 0;
  }
  if (!(await configure(context, client, launch, options))) return 1;
  output.note(
    `${client.title} uses ${server.model} (${server.contextTokens.toLocaleString('en')} tokens of context).`,
  );
  return start(command, launch, environment);
}

async function serverFor(context: Context, client: Client, options: LaunchOptions): Promise<Server> {
  const api = await context.connect();
  const request = { client, model: options.model, force: options.force === true };
  const { model, contextTokens } = await chooseModel(api, request);
  const { base_url: baseUrl, management_url: rootUrl } = await api.status();
  const key = await keyFor(api, client, launchFolder(context));
  return { baseUrl, rootUrl, key, model, contextTokens };
}

function foldersOf({ env }: Environment): Folders {
  const home = env['HOME'] || env['USERPROFILE'] || homedir();
  return { home, config: env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(home, '.config') };
}

/** Shows the change to the client's own file, and asks for confirmation. */
async function configure(
  context: Context,
  client: Client,
  { file }: Launch,
  { yes }: LaunchOptions,
): Promise<boolean> {
  const { io, output, signal } = context;
  const change = file && (await planChange(file));
  if (!change) return true;
  output.talk(`${client.title} reads ${change.path}. askd will change it like this:\n\n${diffOf(change)}\n`);
  if (!yes && !(await confirm('Apply this change?', io, signal))) return false;
  applyChange(change, client, launchFolder(context));
  output.note(`Changed. To undo it: askd launch ${client.name} --restore`);
  return true;
}

type Printed = { client: Client; server: Server; launch: Launch; command: readonly string[] };

/** Prints what would be done, for people who want to do it themselves. */
async function print({ output }: Context, { client, server, launch, command }: Printed): Promise<void> {
  const { model, contextTokens } = server;
  const { env, without = [], file } = launch;
  const change = file && (await planChange(file));
  const config = file && { path: file.path, text: change?.after ?? null };
  const document = {
    client: client.name,
    model,
    context_tokens: contextTokens,
    command,
    env,
    unset: without,
  };
  output.result({ schema: 'launch/1', ...document, ...(config && { config }) }, () =>
    [
      ...(change ? [`# ${change.path}`, diffOf(change), ''] : []),
      ...without.map((name) => `unset ${name}`),
      ...Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}`),
      command.map(shellWord).join(' '),
    ].join('\n'),
  );
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The client owns the terminal until it exits. */
async function start(
  [program = '', ...args]: readonly string[],
  { env, without = [] }: Launch,
  environment: Environment,
): Promise<number> {
  const inherited = Object.entries(environment.env).filter(([name]) => !without.includes(name));
  const { exitCode, signal, code } = await execa(program, args, {
    stdio: 'inherit',
    reject: false,
    extendEnv: false,
    env: { ...Object.fromEntries(inherited), ...env },
  });
  if (code !== undefined) throw new Failure('internal_error', `${program} could not be started (${code}).`);
  return exitCode ?? (signal === 'SIGINT' ? 130 : 1);
}

function requireProgram({ program, title, install }: Client, environment: Environment): void {
  if (isOnPath(program, environment)) return;
  throw new Failure('not_found', `${title} is not installed: "${program}" is not on the PATH.`, {
    details: { fix: install },
  });
}
