import type { Command } from './command.ts';

/** A command's file is imported when the command is typed: importing all takes longer than most commands run. */
export type CommandEntry = {
  /** As typed: `keys create`. */
  name: string;
  aliases?: readonly string[];
  load: () => Promise<Command>;
  /** It lists the other commands. */
  needsAll?: true;
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'chat', load: async () => (await import('./commands/chat/chat.ts')).chat },
  {
    name: 'chats list',
    aliases: ['ls'],
    load: async () => (await import('./commands/chat/chats.ts')).chatsList,
  },
  { name: 'chats show', load: async () => (await import('./commands/chat/chats.ts')).chatsShow },
  { name: 'chats rm', load: async () => (await import('./commands/chat/chats.ts')).chatsRemove },
  {
    name: 'chats rename',
    load: async () => (await import('./commands/chat/chats.ts')).chatsRename,
  },
  {
    name: 'chats search',
    load: async () => (await import('./commands/chat/chats-search.ts')).chatsSearch,
  },
  {
    name: 'chats export',
    load: async () => (await import('./commands/chat/chats-export.ts')).chatsExport,
  },
  { name: 'agent', load: async () => (await import('./commands/agent/agent.ts')).agent },
  {
    name: 'agent list',
    aliases: ['ls'],
    load: async () => (await import('./commands/agent/agent-list.ts')).agentList,
  },
  { name: 'agent show', load: async () => (await import('./commands/agent/agent-show.ts')).agentShow },
  { name: 'agent attach', load: async () => (await import('./commands/agent/agent-attach.ts')).agentAttach },
  { name: 'agent cancel', load: async () => (await import('./commands/agent/agent-cancel.ts')).agentCancel },
  { name: 'docs add', load: async () => (await import('./commands/agent/docs-add.ts')).docsAdd },
  {
    name: 'docs list',
    aliases: ['ls'],
    load: async () => (await import('./commands/agent/docs-list.ts')).docsList,
  },
  { name: 'docs rm', load: async () => (await import('./commands/agent/docs-rm.ts')).docsRemove },
  { name: 'mcp add', load: async () => (await import('./commands/mcp/mcp-add.ts')).mcpAdd },
  { name: 'mcp list', load: async () => (await import('./commands/mcp/mcp-list.ts')).mcpList },
  { name: 'mcp show', load: async () => (await import('./commands/mcp/mcp-show.ts')).mcpShow },
  { name: 'mcp login', load: async () => (await import('./commands/mcp/mcp-login.ts')).mcpLogin },
  { name: 'mcp logout', load: async () => (await import('./commands/mcp/mcp-logout.ts')).mcpLogout },
  { name: 'mcp test', load: async () => (await import('./commands/mcp/mcp-test.ts')).mcpTest },
  { name: 'mcp allow', load: async () => (await import('./commands/mcp/mcp-allow.ts')).mcpAllow },
  { name: 'mcp rm', load: async () => (await import('./commands/mcp/mcp-rm.ts')).mcpRemove },
  { name: 'mcp import', load: async () => (await import('./commands/mcp/mcp-import.ts')).mcpImport },
  { name: 'mcp serve', load: async () => (await import('./commands/mcp/mcp-serve.ts')).mcpServe },
  { name: 'docs search', load: async () => (await import('./commands/agent/docs-search.ts')).docsSearch },
  { name: 'launch', load: async () => (await import('./commands/chat/launch.ts')).launch },
  { name: 'run', load: async () => (await import('./commands/chat/run.ts')).run },
  { name: 'embed', load: async () => (await import('./commands/tasks/embed.ts')).embed },
  { name: 'rerank', load: async () => (await import('./commands/tasks/rerank.ts')).rerank },
  { name: 'moderate', load: async () => (await import('./commands/tasks/moderate.ts')).moderate },
  { name: 'translate', load: async () => (await import('./commands/tasks/translate.ts')).translate },
  { name: 'image', load: async () => (await import('./commands/tasks/image.ts')).image },
  { name: 'transcribe', load: async () => (await import('./commands/tasks/transcribe.ts')).transcribe },
  { name: 'speak', load: async () => (await import('./commands/tasks/speak.ts')).speak },
  { name: 'eval', load: async () => (await import('./commands/tasks/eval.ts')).evaluate },
  { name: 'record', load: async () => (await import('./commands/cassette/record.ts')).record },
  { name: 'replay', load: async () => (await import('./commands/cassette/replay.ts')).replay },
  { name: 'batch run', load: async () => (await import('./commands/batch/batch-run.ts')).batchRun },
  {
    name: 'batch list',
    aliases: ['ls'],
    load: async () => (await import('./commands/batch/batch-list.ts')).batchList,
  },
  { name: 'batch show', load: async () => (await import('./commands/batch/batch-show.ts')).batchShow },
  { name: 'batch cancel', load: async () => (await import('./commands/batch/batch-cancel.ts')).batchCancel },
  { name: 'models', load: async () => (await import('./commands/models/models.ts')).models },
  { name: 'recommend', load: async () => (await import('./commands/models/recommend.ts')).recommend },
  { name: 'pull', aliases: ['get'], load: async () => (await import('./commands/models/pull.ts')).pull },
  { name: 'list', aliases: ['ls'], load: async () => (await import('./commands/models/list.ts')).list },
  { name: 'show', load: async () => (await import('./commands/models/show.ts')).show },
  { name: 'ps', load: async () => (await import('./commands/models/ps.ts')).ps },
  { name: 'devices', load: async () => (await import('./commands/models/devices.ts')).devices },
  { name: 'place', load: async () => (await import('./commands/models/place.ts')).place },
  { name: 'check', load: async () => (await import('./commands/models/check.ts')).check },
  { name: 'load', load: async () => (await import('./commands/models/load.ts')).load },
  { name: 'stop', load: async () => (await import('./commands/models/stop.ts')).stop },
  { name: 'import', load: async () => (await import('./commands/models/import.ts')).importFile },
  { name: 'export', load: async () => (await import('./commands/models/export.ts')).exportModels },
  { name: 'adopt', load: async () => (await import('./commands/models/adopt.ts')).adopt },
  { name: 'adapter add', load: async () => (await import('./commands/models/adapter.ts')).adapterAdd },
  {
    name: 'adapter list',
    aliases: ['ls'],
    load: async () => (await import('./commands/models/adapter.ts')).adapterList,
  },
  { name: 'adapter rm', load: async () => (await import('./commands/models/adapter.ts')).adapterRemove },
  {
    name: 'upstream add',
    load: async () => (await import('./commands/engines/upstream-add.ts')).upstreamAdd,
  },
  { name: 'bind', load: async () => (await import('./commands/models/bind.ts')).bind },
  { name: 'cp', aliases: ['alias'], load: async () => (await import('./commands/models/cp.ts')).cp },
  { name: 'rm', aliases: ['delete'], load: async () => (await import('./commands/models/rm.ts')).rm },
  { name: 'search', load: async () => (await import('./commands/models/search.ts')).search },
  {
    name: 'engines list',
    aliases: ['ls'],
    load: async () => (await import('./commands/engines/engines-list.ts')).enginesList,
  },
  {
    name: 'engines install',
    load: async () => (await import('./commands/engines/engines-install.ts')).enginesInstall,
  },
  {
    name: 'engines build',
    load: async () => (await import('./commands/engines/engines-build.ts')).enginesBuild,
  },
  {
    name: 'engines remove',
    aliases: ['rm'],
    load: async () => (await import('./commands/engines/engines-remove.ts')).enginesRemove,
  },
  { name: 'up', load: async () => (await import('./commands/daemon/up.ts')).up },
  { name: 'down', load: async () => (await import('./commands/daemon/down.ts')).down },
  { name: 'restart', load: async () => (await import('./commands/daemon/restart.ts')).restart },
  { name: 'top', load: async () => (await import('./commands/daemon/top.ts')).top },
  { name: 'status', load: async () => (await import('./commands/daemon/status.ts')).status },
  { name: 'serve', load: async () => (await import('./commands/daemon/serve.ts')).serve },
  { name: 'logs', load: async () => (await import('./commands/daemon/logs.ts')).logs },
  { name: 'doctor', load: async () => (await import('./commands/daemon/doctor.ts')).doctor },
  { name: 'keys create', load: async () => (await import('./commands/keys/keys-create.ts')).keysCreate },
  {
    name: 'keys list',
    aliases: ['ls'],
    load: async () => (await import('./commands/keys/keys-list.ts')).keysList,
  },
  { name: 'keys show', load: async () => (await import('./commands/keys/keys-show.ts')).keysShow },
  { name: 'keys update', load: async () => (await import('./commands/keys/keys-update.ts')).keysUpdate },
  { name: 'keys rotate', load: async () => (await import('./commands/keys/keys-rotate.ts')).keysRotate },
  {
    name: 'simulate add',
    load: async () => (await import('./commands/simulate/simulate-add.ts')).simulateAdd,
  },
  {
    name: 'simulate list',
    load: async () => (await import('./commands/simulate/simulate-list.ts')).simulateList,
  },
  { name: 'simulate rm', load: async () => (await import('./commands/simulate/simulate-rm.ts')).simulateRm },
  {
    name: 'keys revoke',
    aliases: ['rm'],
    load: async () => (await import('./commands/keys/keys-revoke.ts')).keysRevoke,
  },
  { name: 'tui', load: async () => (await import('./commands/daemon/tui.ts')).tui },
  { name: 'dashboard', load: async () => (await import('./commands/daemon/dashboard.ts')).dashboard },
  {
    name: 'session create',
    load: async () => (await import('./commands/keys/session-create.ts')).sessionCreate,
  },
  {
    name: 'session list',
    aliases: ['ls'],
    load: async () => (await import('./commands/keys/session-list.ts')).sessionList,
  },
  {
    name: 'session revoke',
    aliases: ['rm'],
    load: async () => (await import('./commands/keys/session-revoke.ts')).sessionRevoke,
  },
  { name: 'token rotate', load: async () => (await import('./commands/keys/token-rotate.ts')).tokenRotate },
  { name: 'init', load: async () => (await import('./commands/config/init.ts')).init },
  { name: 'usage', load: async () => (await import('./commands/wallet/usage.ts')).usage },
  {
    name: 'wallet balance',
    load: async () => (await import('./commands/wallet/wallet-balance.ts')).walletBalance,
  },
  {
    name: 'wallet history',
    aliases: ['ls'],
    load: async () => (await import('./commands/wallet/wallet-history.ts')).walletHistory,
  },
  { name: 'wallet topup', load: async () => (await import('./commands/wallet/wallet-topup.ts')).walletTopup },
  {
    name: 'wallet settings',
    load: async () => (await import('./commands/wallet/wallet-settings.ts')).walletSettings,
  },
  {
    name: 'wallet export',
    load: async () => (await import('./commands/wallet/wallet-export.ts')).walletExport,
  },
  { name: 'account tier', load: async () => (await import('./commands/keys/account-tier.ts')).accountTier },
  {
    name: 'webhooks add',
    load: async () => (await import('./commands/webhooks/webhooks-add.ts')).webhooksAdd,
  },
  {
    name: 'webhooks list',
    aliases: ['ls'],
    load: async () => (await import('./commands/webhooks/webhooks-list.ts')).webhooksList,
  },
  {
    name: 'webhooks show',
    load: async () => (await import('./commands/webhooks/webhooks-show.ts')).webhooksShow,
  },
  {
    name: 'webhooks rm',
    load: async () => (await import('./commands/webhooks/webhooks-rm.ts')).webhooksRemove,
  },
  {
    name: 'webhooks pause',
    load: async () => (await import('./commands/webhooks/webhooks-pause.ts')).webhooksPause,
  },
  {
    name: 'webhooks resume',
    load: async () => (await import('./commands/webhooks/webhooks-resume.ts')).webhooksResume,
  },
  {
    name: 'webhooks rotate',
    load: async () => (await import('./commands/webhooks/webhooks-rotate.ts')).webhooksRotate,
  },
  {
    name: 'webhooks events',
    load: async () => (await import('./commands/webhooks/webhooks-events.ts')).webhooksEvents,
  },
  {
    name: 'webhooks deliveries',
    load: async () => (await import('./commands/webhooks/webhooks-deliveries.ts')).webhooksDeliveries,
  },
  {
    name: 'webhooks resend',
    load: async () => (await import('./commands/webhooks/webhooks-resend.ts')).webhooksResend,
  },
  {
    name: 'webhooks replay',
    load: async () => (await import('./commands/webhooks/webhooks-replay.ts')).webhooksReplay,
  },
  {
    name: 'webhooks test',
    load: async () => (await import('./commands/webhooks/webhooks-test.ts')).webhooksTest,
  },
  {
    name: 'webhooks listen',
    load: async () => (await import('./commands/webhooks/webhooks-listen.ts')).webhooksListen,
  },
  {
    name: 'webhooks trigger',
    load: async () => (await import('./commands/webhooks/webhooks-trigger.ts')).webhooksTrigger,
  },
  { name: 'config get', load: async () => (await import('./commands/config/config.ts')).configGet },
  { name: 'config set', load: async () => (await import('./commands/config/config.ts')).configSet },
  { name: 'config add', load: async () => (await import('./commands/config/config-lists.ts')).configAdd },
  {
    name: 'config remove',
    aliases: ['rm'],
    load: async () => (await import('./commands/config/config-lists.ts')).configRemove,
  },
  { name: 'config unset', load: async () => (await import('./commands/config/config.ts')).configUnset },
  { name: 'config list', load: async () => (await import('./commands/config/config.ts')).configList },
  { name: 'config edit', load: async () => (await import('./commands/config/config.ts')).configEdit },
  { name: 'config path', load: async () => (await import('./commands/config/config.ts')).configPath },
  {
    name: 'secrets list',
    aliases: ['ls'],
    load: async () => (await import('./commands/config/secrets.ts')).secretsList,
  },
  { name: 'secrets set', load: async () => (await import('./commands/config/secrets.ts')).secretsSet },
  { name: 'secrets rm', load: async () => (await import('./commands/config/secrets.ts')).secretsRemove },
  {
    name: 'secrets migrate',
    load: async () => (await import('./commands/config/secrets.ts')).secretsMigrate,
  },
  {
    name: 'service install',
    load: async () => (await import('./commands/daemon/service-install.ts')).serviceInstall,
  },
  {
    name: 'service uninstall',
    load: async () => (await import('./commands/daemon/service-uninstall.ts')).serviceUninstall,
  },
  {
    name: 'service status',
    load: async () => (await import('./commands/daemon/service-status.ts')).serviceStatus,
  },
  { name: 'service logs', load: async () => (await import('./commands/daemon/service-logs.ts')).serviceLogs },
  { name: 'backup', load: async () => (await import('./commands/daemon/backup.ts')).backup },
  { name: 'restore', load: async () => (await import('./commands/daemon/restore.ts')).restore },
  { name: 'uninstall', load: async () => (await import('./commands/daemon/uninstall.ts')).uninstall },
  { name: 'completion', load: async () => (await import('./commands/help/completion.ts')).completion },
  { name: 'update', load: async () => (await import('./commands/help/update.ts')).update },
  { name: 'help', needsAll: true, load: async () => (await import('./commands/help/help.ts')).help },
  { name: 'version', load: async () => (await import('./commands/help/version.ts')).version },
];
