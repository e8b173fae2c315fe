import { Option } from 'commander';
import type { ProfileChange } from '../../../src/api/account/account.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { formatAmount, perMinute } from '../../output/format.ts';
import { renderFields } from '../../output/table.ts';

type Profile = ProfileChange['profile'];
type InitOptions = { profile?: Profile; key?: string; yes?: true };

const PROFILES: Record<Profile, string> = {
  personal: 'your own machine: usage is metered, with no rate limit and no block on an empty wallet',
  hosted: 'like a public service: free tier, 10 requests a minute, an empty wallet',
};

export const init = command<InitOptions>({
  name: 'init',
  group: 'Account:',
  summary: 'set up the account: its profile and a first key',
  details: 'You can run it again at any time: a profile is a few settings, and credits are kept.',
  examples: ['askd init', 'askd init --yes', 'askd init --profile hosted --key my-app --json'],
  configure(commander) {
    commander
      .addOption(new Option('--profile <profile>', 'profile of the account').choices(Object.keys(PROFILES)))
      .option('--key <name>', 'also create an API key with this name')
      .option('-y, --yes', 'do not prompt; use the personal profile unless --profile is given');
  },
  async run(context, { options }) {
    const { adoptHint } = await import('../../models/adopt-hint.ts');
    const { connect, output } = context;
    const answers = await readAnswers(context, options);
    const client = await connect();
    const account = await client.setProfile({ profile: answers.profile });
    const key = answers.key === undefined ? undefined : await client.createKey({ name: answers.key });
    const { base_url: baseUrl } = await client.status();
    const { balance } = await client.balance();
    const document = {
      schema: 'init/1',
      base_url: baseUrl,
      ...account,
      balance,
      ...(key && { key: key.key }),
    };
    output.result(document, () =>
      renderFields([
        ['profile', `${account.profile} (${PROFILES[answers.profile]})`],
        ['tier', account.tier],
        ['requests', perMinute(account.rpm)],
        ['tokens', perMinute(account.tpm)],
        ['wallet', `${formatAmount(balance)} credits`],
        ['base URL', baseUrl],
        ...(key ? ([['key', `${key.key} (not shown again)`]] as const) : []),
      ]),
    );
    const hint = await adoptHint(client);
    if (hint !== undefined) output.note(hint);
    output.note('next: askd chat');
  },
});

type Answers = { profile: Profile; key?: string };

async function readAnswers({ io, signal }: Context, { profile, key, yes }: InitOptions): Promise<Answers> {
  if (yes || profile !== undefined)
    return { profile: profile ?? 'personal', ...(key !== undefined && { key }) };
  const { choose, confirm } = await import('../../prompt/confirm.ts');
  const chosen = await choose('Which profile?', PROFILES, io, signal);
  if (key !== undefined) return { profile: chosen, key };
  const wantsKey = await confirm('Create an API key named "default" for your programs?', io, signal);
  return { profile: chosen, ...(wantsKey && { key: 'default' }) };
}
