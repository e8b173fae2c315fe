import { existsSync } from 'node:fs';
import type { Recommendation, RecommendedModel } from '../../src/api/management/recommend.ts';
import { choose } from '../prompt/confirm.ts';
import { adoptHint } from './adopt-hint.ts';
import type { Client } from '../client/client.ts';
import type { Context } from '../context.ts';
import { formatBytes } from '../output/format.ts';
import { findRecommendation, rangeText, recommendationText } from './recommend.ts';
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
  await offerModels(client, context);
  await offerService(context);
  const next = await choose(
    'Start a chat now?',
    { yes: 'askd chat', no: 'askd --help shows everything' },
    io,
    signal,
  );
  return next === 'yes';
}

/** What suits this machine; what is chosen downloads in the background while the starter already answers. */
async function offerModels(client: Client, context: Context): Promise<void> {
  const { io, output, signal } = context;
  const found = await findRecommendation(client, { services: [] }, context);
  const hint = await adoptHint(client);
  if (hint !== undefined) output.talk(`On this machine: ${hint}`);
  const { chat, all } = offersOf(found);
  if (chat === undefined) return;
  output.talk(recommendationText(found, { services: [], isPulling: true }, output));
  const answer = await choose(
    'The starter models that ship with askd are small: they know askd, simple sentences and little else. Download larger ones?',
    {
      chat: `${chat.name} for chat, ${formatBytes(chat.bytes)}${speedText(chat)}, licence ${chat.licence}`,
      ...(all.length > 1 && {
        all: `all of them but those with terms to accept, ${formatBytes(bytesOf(all))}`,
      }),
      skip: 'later: askd recommend',
    },
    io,
    signal,
  );
  if (answer !== 'skip') await download(client, answer === 'all' ? all : [chat], context);
}

async function download(
  client: Client,
  models: readonly RecommendedModel[],
  context: Context,
): Promise<void> {
  const { output, signal } = context;
  try {
    output.talk('Contacting the model hub…');
    for (const { service } of models) await startPull(client, { model: service }, context);
    output.talk(
      'The download continues in the background: askd pull --list. Until it is complete, the starter models answer.',
    );
  } catch (error) {
    signal.throwIfAborted();
    const { reportFailure } = await import('../output/failure-report.ts');
    for (const line of reportFailure(error, { verbose: false }).lines) output.talk(line);
    output.talk('Everything else works without it.');
  }
}

const speedText = ({ expected_tokens_per_second: speed }: RecommendedModel) =>
  speed ? `, about ${rangeText(speed)} tokens/s` : '';

function bytesOf(models: readonly RecommendedModel[]): number {
  const files = new Map(models.map(({ artifact, bytes }) => [artifact, bytes]));
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** What is not here yet, has no terms to accept, and has room on the disk. */
export function offersOf({ models, fits_on_disk: fits }: Pick<Recommendation, 'models' | 'fits_on_disk'>): {
  chat: RecommendedModel | undefined;
  all: RecommendedModel[];
} {
  const free = models.filter(({ licence_terms: terms, is_installed: isInstalled }) => !terms && !isInstalled);
  return { chat: free.find(({ service }) => service === CHAT), all: fits ? free : [] };
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
