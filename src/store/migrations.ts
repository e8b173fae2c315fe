import { accounts } from './migrations/accounts.ts';
import { agentPassages } from './migrations/agent-passages.ts';
import { adapters } from './migrations/adapters.ts';
import { agent } from './migrations/agent.ts';
import { auditLog } from './migrations/files/audit-log.ts';
import { batches } from './migrations/files/batches.ts';
import { beginning } from './migrations/beginning.ts';
import { keyBudgets } from './migrations/key-budgets.ts';
import { mcpCallTimes } from './migrations/mcp-call-times.ts';
import { mcpKeys } from './migrations/mcp-keys.ts';
import { mcpServers } from './migrations/mcp-servers.ts';
import { memory } from './migrations/memory.ts';
import { drafts } from './migrations/drafts.ts';
import { daemonSettings } from './migrations/files/daemon-settings.ts';
import { fallbacks } from './migrations/files/fallbacks.ts';
import { downloads } from './migrations/downloads.ts';
import { ledgerGuards } from './migrations/ledger-guards.ts';
import { chatOwners } from './migrations/files/chat-owners.ts';
import { chats } from './migrations/files/chats.ts';
import { checkouts } from './migrations/checkouts.ts';
import { pausedDownloads } from './migrations/paused-downloads.ts';
import { modelChecks } from './migrations/model-checks.ts';
import { quotedLines } from './migrations/files/quoted-lines.ts';
import { placements } from './migrations/placements.ts';
import { responses } from './migrations/responses.ts';
import { schemaVersions } from './migrations/schema-versions.ts';
import { sessionKeys } from './migrations/session-keys.ts';
import { sessions } from './migrations/sessions.ts';
import { simulations } from './migrations/simulations.ts';
import { usageTotals } from './migrations/usage-totals.ts';
import { teamAccounts } from './migrations/files/team-accounts.ts';
import { memberLimits } from './migrations/files/member-limits.ts';
import { teamMembers } from './migrations/files/team-members.ts';
import { vectorStores } from './migrations/files/vector-stores.ts';
import { webhooks } from './migrations/webhooks.ts';

/** Every schema change, oldest first. Append only: a released entry is never edited. */
export const MIGRATIONS: readonly string[] = [
  beginning,
  accounts,
  sessions,
  webhooks,
  downloads,
  ledgerGuards,
  memory,
  checkouts,
  agent,
  drafts,
  responses,
  usageTotals,
  sessionKeys,
  keyBudgets,
  pausedDownloads,
  modelChecks,
  schemaVersions,
  agentPassages,
  mcpServers,
  adapters,
  simulations,
  vectorStores,
  mcpKeys,
  placements,
  mcpCallTimes,
  batches,
  quotedLines,
  chats,
  fallbacks,
  auditLog,
  teamAccounts,
  teamMembers,
  chatOwners,
  memberLimits,
  daemonSettings,
];
