import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { CatalogEntry } from '../../src/api/management/library.ts';
import { choose } from '../prompt/confirm.ts';
import type { Client } from '../client/client.ts';
import type { Context } from '../context.ts';
import { formatBytes } from '../output/format.ts';
import { followPull } from './pull/follow.ts';
import { startPull } from './pull/start-pull.ts';

const CHAT = 'svc-chat-v1';

/** Whether askd was never used in this home. */
export function isFirstRun({ paths }: Pick<Context, 'paths'>): boolean {
  return !existsSync(paths.database);
}

/** A few questions, each with a default for Enter. Returns whether to start a chat. */
export async function guide(context: Context): Promise<boolean> {
  const { output, io, signal } = context;
  output.talk(
    'Welcome to askd, your local model server. Press Ctrl-C to leave at any time; askd init starts over.',
  );
  const profile = await choose(
    'How will you use it?',
    {
      personal: 'for myself: high limits, and an empty wallet blocks nothing',
      hosted: 'to test what customers of a service get: free tier, empty wallet',
      skip: 'decide later with askd init',
    },
    io,
    signal,
  );
  const client = await context.connect();
  if (profile !== 'skip') await client.setProfile({ profile });
  await describeMachine(client, context);
  await offerModel(client, context);
  await offerService(context);
  const next = await choose(
    'Start a chat now?',
    { yes: 'askd chat', no: 'askd --help shows everything' },
    io,
    signal,
  );
  return next === 'yes';
}

async function describeMachine(client: Client, { output }: Context): Promise<void> {
  const { findings } = await client.examine({});
  output.talk(`This machine has ${formatBytes(totalmem())} of memory.`);
  for (const { check, message } of findings.filter(({ check: each }) => /^(device|gpu)/i.test(each)))
    output.talk(`${check}: ${message}`);
}

async function offerModel(client: Client, context: Context): Promise<void> {
  const { io, output, signal } = context;
  const { catalog } = await client.catalog();
  const { best, small } = proposeModels(catalog);
  if (best === undefined || best.is_installed) return;
  const skip = `later: askd pull ${CHAT}`;
  const answer = await choose<'best' | 'small' | 'skip'>(
    'The starter models that ship with askd are small: they know askd, simple sentences and little else. Download a larger one?',
    small ? { best: describe(best), small: describe(small), skip } : { best: describe(best), skip },
    io,
    signal,
  );
  const chosen = answer === 'best' ? best : answer === 'small' ? small : undefined;
  if (chosen === undefined) return;
  try {
    output.talk('Contacting the model hub…');
    const { pull } = await startPull(client, { model: chosen.id }, context);
    if (pull) await followPull(client, pull, context);
    await client.bind({ service: CHAT, artifact: chosen.id });
    output.talk(`${chosen.name} is installed and serves ${CHAT}.`);
  } catch (error) {
    signal.throwIfAborted();
    const { reportFailure } = await import('../output/failure-report.ts');
    for (const line of reportFailure(error, { verbose: false }).lines) output.talk(line);
    output.talk('Everything else works without it.');
  }
}

const describe = ({ name, bytes, licence }: CatalogEntry) =>
  `${name}, ${formatBytes(bytes)} to download, licence ${licence}`;

/** The model that askd pull would choose here, and the smallest one, which answers fastest. */
export function proposeModels(catalog: readonly CatalogEntry[]): {
  best?: CatalogEntry | undefined;
  small?: CatalogEntry | undefined;
} {
  const free = catalog.filter(
    ({ services, licence_terms: terms, obstacle }) => services.includes(CHAT) && !terms && !obstacle,
  );
  const best = free.find(({ chosen_for: services }) => services.includes(CHAT));
  const [small] = free
    .filter(({ bytes }) => best !== undefined && bytes < best.bytes)
    .sort((a, b) => a.bytes - b.bytes);
  return { best, small };
}

async function offerService(context: Context): Promise<void> {
  const { io, output, signal } = context;
  if (!['linux', 'darwin', 'win32'].includes(process.platform)) return;
  const answer = await choose(
    'Start askd automatically when you log in?',
    { no: 'it starts when a command needs it', yes: 'askd service install' },
    io,
    signal,
  );
  if (answer === 'no') return;
  try {
    const { installService } = await import('../daemon-control/service/install.ts');
    await installService(context);
  } catch (error) {
    signal.throwIfAborted();
    const { reportFailure } = await import('../output/failure-report.ts');
    for (const line of reportFailure(error, { verbose: false }).lines) output.talk(line);
  }
}
