import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { showInBrowser } from '../browser.ts';
import { agree } from '../confirm.ts';

const POLL_MS = 500;

/** Opens the page on which a top-up is confirmed, and waits for its credits. */
export async function offerCredits(context: Context, amount: string): Promise<boolean> {
  const { io, output, signal } = context;
  const client = await context.connect();
  const before = (await client.balance()).balance;
  if (!(await agree(`Add ${amount} credits now?`, io, signal))) return false;
  const { checkout_url: url } = await client.topUp({ amount: Number(amount) });
  await showInBrowser(url, context);
  output.talk(`Confirm it here:\n${url}\nThe command continues once the credits are there; Ctrl-C ends it.`);
  await untilAdded(client, before, signal);
  return true;
}

async function untilAdded(client: Client, before: number, signal: AbortSignal): Promise<void> {
  while ((await client.balance()).balance <= before) await sleep(POLL_MS, undefined, { signal });
}
