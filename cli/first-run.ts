import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { CatalogEntry } from '../src/api/library.ts';
import { choose } from './confirm.ts';
import type { Client } from './client.ts';
import type { Context } from './context.ts';
import { formatBytes } from './format.ts';
import { followPull } from './pull/follow.ts';
import { startPull } from './pull/start-pull.ts';

/** Of the machine's memory: the rest is for the context and for everything else that runs. */
const MEMORY_SHARE = 0.4;
const CHAT = 'svc-chat-v1';

/** Nobody has used askd in this home yet. */
export function isFirstRun({ paths }: Pick<Context, 'paths'>): boolean {
  return !existsSync(paths.database);
}

/** A few questions, each with an answer that Enter takes, and then a conversation. True when it should begin. */
export async function guide(context: Context): Promise<boolean> {
  const { output, io, signal } = context;
  output.line(
    'Welcome to askd, a model server of your own. Ctrl-C leaves at any time; askd init starts over.',
  );
  const profile = await choose(
    'How do you use it?',
    {
      personal: 'for myself: high limits, and no empty wallet stops me',
      hosted: 'to see what customers of a service would get: free tier, empty wallet',
      skip: 'decide later with askd init',
    },
    io,
    signal,
  );
  const client = await context.connect();
  if (profile !== 'skip') await client.setProfile({ profile });
  await tellMachine(client, context);
  await offerModel(client, context);
  await offerService(context);
  const next = await choose(
    'Talk with it now?',
    { yes: 'askd chat', no: 'askd --help shows everything' },
    io,
    signal,
  );
  return next === 'yes';
}

async function tellMachine(client: Client, { output }: Context): Promise<void> {
  const { findings } = await client.examine({});
  output.line(`This machine has ${formatBytes(totalmem())} of memory.`);
  for (const { check, message } of findings.filter(({ check: each }) => /^(device|gpu)/i.test(each)))
    output.line(`${check}: ${message}`);
}

async function offerModel(client: Client, context: Context): Promise<void> {
  const { io, output, signal } = context;
  const { catalog } = await client.catalog();
  const proposed = proposeModel(catalog, totalmem());
  if (proposed === undefined || proposed.is_installed) return;
  const answer = await choose(
    'The starter models that come with askd are small: they know askd, simple sentences, and little else. Fetch a larger one?',
    {
      yes: `${proposed.name}, ${formatBytes(proposed.bytes)} to download, licence ${proposed.licence}`,
      skip: `later: askd pull ${CHAT}`,
    },
    io,
    signal,
  );
  if (answer === 'skip') return;
  try {
    const { pull } = await startPull(client, { model: proposed.id }, context);
    if (pull) await followPull(client, pull, context);
    await client.bind({ service: CHAT, artifact: proposed.id });
    output.line(`${proposed.name} is here and serves ${CHAT}.`);
  } catch (error) {
    signal.throwIfAborted();
    const { reportFailure } = await import('./failure-report.ts');
    for (const line of reportFailure(error, { verbose: false }).lines) output.talk(line);
    output.talk('The rest works without it.');
  }
}

/** The largest that leaves the machine room, needs no consent, and runs here. */
export function proposeModel(
  catalog: readonly CatalogEntry[],
  memoryBytes: number,
): CatalogEntry | undefined {
  return catalog
    .filter(({ services, licence_terms: terms, obstacle }) => services.includes(CHAT) && !terms && !obstacle)
    .filter(({ bytes }) => bytes <= memoryBytes * MEMORY_SHARE)
    .sort((a, b) => b.bytes - a.bytes)[0];
}

async function offerService(context: Context): Promise<void> {
  const { io, output, signal } = context;
  if (!['linux', 'darwin', 'win32'].includes(process.platform)) return;
  const answer = await choose(
    'Start askd by itself when you log in?',
    { no: 'it starts when a command needs it', yes: 'askd service install' },
    io,
    signal,
  );
  if (answer === 'no') return;
  try {
    const { installService } = await import('./service/install.ts');
    await installService(context);
  } catch (error) {
    signal.throwIfAborted();
    const { reportFailure } = await import('./failure-report.ts');
    for (const line of reportFailure(error, { verbose: false }).lines) output.talk(line);
  }
}
