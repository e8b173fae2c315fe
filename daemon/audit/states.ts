import { createHash } from 'node:crypto';
import { readConfigFile, requireSetting } from '../../src/config/config-file.ts';
import { toCredits } from '../../src/base/money.ts';
import type { Services } from '../compose.ts';
import { shownSetting } from './shown-setting.ts';

/** The account that acts, and the id or name of what it acts on. */
export type Target = { accountId: string; object: string };
type State = (services: Services, target: Target) => unknown;

/** What a record compares before and after: never a secret, nor a URL that may contain one. */
export const STATES = {
  api_key: ({ keys, budgets }, { accountId, object }) => {
    const key = keys.list(accountId).find(({ id }) => id === object);
    if (!key) return undefined;
    const { name, key_prefix, scopes, expires_at, is_active, is_test } = key;
    const { creditsPerMonthN, tokensPerMonth, rpm } = budgets.reportOne(accountId, object);
    const credits = creditsPerMonthN === null ? null : toCredits(creditsPerMonthN);
    const limits = { credits_per_month: credits, tokens_per_month: tokensPerMonth, rpm };
    return { id: object, name, key_prefix, scopes, expires_at, is_active, is_test, ...limits };
  },
  simulations: ({ simulations }, { object }) => simulations.rules.of(object),
  session: ({ sessions }, { accountId, object }) => {
    const session = sessions.list(accountId).find(({ id }) => id === object);
    return session && { kind: session.kind, user_agent: session.user_agent, created_at: session.created_at };
  },
  account: ({ accounts }, { object }) => {
    const { tier, suspendedAt } = accounts.find(object);
    return { tier, suspended_at: suspendedAt };
  },
  member: ({ members }, { accountId, object }) => {
    const { role, email } = members.find(accountId, object);
    return { role, email };
  },
  wallet_settings: ({ wallet }, { accountId }) => {
    const { autoTopup, spendingLimit, lowBalanceAlert } = wallet.settings.get(accountId);
    const { action } = spendingLimit;
    return {
      auto_topup: { ...inCredits(autoTopup), amount: toCredits(autoTopup.amountN) },
      spending_limit: { enabled: spendingLimit.enabled, limit: toCredits(spendingLimit.limitN), action },
      low_balance_alert: { ...inCredits(lowBalanceAlert), email: lowBalanceAlert.email },
    };
  },
  tier: ({ tiers }, { accountId }) => ({ profile: tiers.profileOf(accountId), ...tiers.of(accountId) }),
  webhook: ({ webhooks }, { accountId, object }) => {
    const { name, url, events, enabled } = webhooks.endpoints.get(accountId, object);
    return { name, url: shownUrl(url), events, enabled };
  },
  setting: ({ settings }, { object }) => {
    const { name, file } = requireSetting(object);
    const value = readConfigFile(settings.paths.config)[file];
    return value === undefined ? undefined : { value: shownSetting(name, value) };
  },
  binding: ({ library }, { object }) => {
    const artifact = library.boundArtifact(object);
    return (
      artifact && { artifact: artifact.id, draft: artifact.draft?.id, fallbacks: library.fallbacksOf(object) }
    );
  },
  model: ({ library }, { object }) => {
    const artifact = library.boundArtifact(object) ?? library.findArtifact(object);
    if (!artifact) return undefined;
    const { id, engine, bytes, placement } = artifact;
    return { id, engine, bytes, placement, services: library.servicesOf(id), aliases: library.aliasesOf(id) };
  },
  mcp_server: ({ mcpServers }, { object }) => {
    const { definition, env, headers, tools, keys } = mcpServers.show(object);
    const place = 'url' in definition ? shownUrl(definition.url) : definition.command;
    const allowed = tools.map(({ name, use }) => ({ name, use }));
    return {
      place,
      env,
      headers,
      tools: allowed,
      keys: keys.map(({ keyId, tools: of }) => ({ keyId, tools: [...of] })),
    };
  },
} satisfies Record<string, State>;

export type StateName = keyof typeof STATES;

/** Undefined if there is no such thing, or no longer. */
export function stateOf(services: Services, name: StateName | undefined, target: Target): unknown {
  if (name === undefined) return undefined;
  try {
    return (STATES[name] as State)(services, target);
  } catch {
    return undefined;
  }
}

/** A path can be a secret, as in the webhook URLs of chat services. Its digest shows that it changed. */
function shownUrl(url: string): string {
  return `${new URL(url).origin}/… (${createHash('sha256').update(url).digest('hex').slice(0, 8)})`;
}

function inCredits({ enabled, thresholdN }: { enabled: boolean; thresholdN: number }) {
  return { enabled, threshold: toCredits(thresholdN) };
}
