import { existsSync } from 'node:fs';
import type { Client } from '../client/client.ts';
import type { Context } from '../context.ts';
import { Interruption } from '../prompt/interruption.ts';
import { openKeys, type Keys } from '../prompt/keys.ts';
import { firstSet, lookAround, type Findings } from './first-run/findings.ts';
import { adoptAll, download } from './first-run/install.ts';
import { choicesFor, firstScreen } from './first-run/screen.ts';

/** Whether askd has never been used in this home. */
export function isFirstRun({ paths }: Pick<Context, 'paths'>): boolean {
  return !existsSync(paths.database);
}

/** One screen and one key. Returns whether to start a chat. */
export async function guide(context: Context): Promise<boolean> {
  const { io, output } = context;
  output.talk('Welcome to askd, which runs language models on your own computer.');
  const keys = openKeys(io);
  try {
    return await Promise.race([keys.interrupted, takeFirstSteps(context, keys)]);
  } catch (error) {
    if (error instanceof Interruption)
      output.talk('\naskd chat starts a chat; askd recommend shows the models again.');
    throw error;
  } finally {
    keys.close();
  }
}

async function takeFirstSteps(context: Context, keys: Keys): Promise<boolean> {
  const client = await context.connect();
  const findings = await lookAround(client, context);
  context.io.stderr.write(firstScreen(findings, context));
  return follow(await pressed(findings, keys), { client, findings, keys }, context);
}

/** A key that is shown on the screen; others do nothing. */
async function pressed(findings: Findings, keys: Keys): Promise<string> {
  const offered = choicesFor(findings).map(({ key }) => key);
  for (;;) {
    const key = (await keys.next()).toLowerCase();
    if (offered.includes(key)) return key;
  }
}

type Start = { client: Client; findings: Findings; keys: Keys };

async function follow(key: string, { client, findings, keys }: Start, context: Context): Promise<boolean> {
  const { recommendation, adoptable } = findings;
  const set = firstSet(recommendation);
  const budgetBytes = recommendation.machine.for_models_bytes;
  if (key === 'm') return keys.lend(() => moreOf(client, findings, context));
  if (key === 'a') await adoptAll(client, { adoptable, budgetBytes }, context);
  if (key === '\r' && set.length > 0) await download(client, set, context);
  return true;
}

async function moreOf(client: Client, { recommendation }: Findings, context: Context): Promise<boolean> {
  const { moreChoices } = await import('./first-run/more.ts');
  return moreChoices(client, recommendation, context);
}
