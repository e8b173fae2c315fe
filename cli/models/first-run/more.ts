import type { Recommendation } from '../../../src/api/management/recommend.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { formatBytes } from '../../output/format.ts';
import { choose } from '../../prompt/confirm.ts';
import { recommendationText } from '../recommend.ts';
import { download, orReport } from './install.ts';

/** Everything else that people may want at first, in any order. Returns whether to start a chat. */
export async function moreChoices(
  client: Client,
  recommendation: Recommendation,
  context: Context,
): Promise<boolean> {
  const { io, signal } = context;
  for (;;) {
    const choice = await choose(
      'What next?',
      {
        chat: 'start a chat',
        models: 'choose which of the recommended models to download',
        account: 'choose how requests are limited and paid for',
        login: 'start askd when you log in',
        leave: 'askd --help shows everything',
      },
      io,
      signal,
    );
    if (choice === 'chat' || choice === 'leave') return choice === 'chat';
    if (choice === 'models') await chooseModel(client, recommendation, context);
    if (choice === 'account') await chooseProfile(client, context);
    if (choice === 'login') await startAtLogin(context);
  }
}

async function chooseModel(client: Client, found: Recommendation, context: Context): Promise<void> {
  const { io, output, signal } = context;
  output.talk(recommendationText(found, { services: [], isPulling: true }, output));
  const open = found.models.filter(({ is_installed: isInstalled }) => !isInstalled);
  const choices = Object.fromEntries(
    open.map(({ service, name, bytes }) => [service, `${name}, ${formatBytes(bytes)}`]),
  );
  const answer = await choose('Which one?', { none: 'go back', ...choices }, io, signal);
  const chosen = open.filter(({ service }) => service === answer);
  if (chosen.length > 0) await download(client, chosen, context);
}

async function chooseProfile(client: Client, { io, output, signal }: Context): Promise<void> {
  const profile = await choose(
    'How will you use askd?',
    {
      personal: 'for myself: high limits, and an empty wallet blocks nothing',
      hosted: 'to test what customers of a service get: the free tier and an empty wallet',
    },
    io,
    signal,
  );
  await client.setProfile({ profile });
  output.talk(`The account has the profile ${profile}. To change it: askd init`);
}

async function startAtLogin(context: Context): Promise<void> {
  await orReport(context, async () => {
    const { installService } = await import('../../daemon-control/service/install.ts');
    await installService(context);
  });
}
