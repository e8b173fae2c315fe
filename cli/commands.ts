import type { Command, CommandGroup } from './command.ts';
import { accountTier } from './commands/account-tier.ts';
import { keysShow } from './commands/keys-show.ts';
import { update } from './commands/update.ts';
import { keysRotate } from './commands/keys-rotate.ts';
import { keysUpdate } from './commands/keys-update.ts';
import { walletBalance } from './commands/wallet-balance.ts';
import { walletExport } from './commands/wallet-export.ts';
import { walletHistory } from './commands/wallet-history.ts';
import { walletSettings } from './commands/wallet-settings.ts';
import { walletTopup } from './commands/wallet-topup.ts';
import { agent } from './commands/agent.ts';
import { agentAttach } from './commands/agent-attach.ts';
import { agentCancel } from './commands/agent-cancel.ts';
import { agentList } from './commands/agent-list.ts';
import { agentShow } from './commands/agent-show.ts';
import { docsAdd } from './commands/docs-add.ts';
import { docsList } from './commands/docs-list.ts';
import { docsRemove } from './commands/docs-rm.ts';
import { docsSearch } from './commands/docs-search.ts';
import { bind } from './commands/bind.ts';
import { chat } from './commands/chat.ts';
import { chatsList, chatsRemove, chatsShow } from './commands/chats.ts';
import { completion } from './commands/completion.ts';
import { configEdit, configGet, configList, configPath, configSet, configUnset } from './commands/config.ts';
import { cp } from './commands/cp.ts';
import { doctor } from './commands/doctor.ts';
import { dashboard } from './commands/dashboard.ts';
import { down } from './commands/down.ts';
import { enginesBuild } from './commands/engines-build.ts';
import { enginesInstall } from './commands/engines-install.ts';
import { enginesList } from './commands/engines-list.ts';
import { enginesRemove } from './commands/engines-remove.ts';
import { embed } from './commands/embed.ts';
import { help } from './commands/help.ts';
import { image } from './commands/image.ts';
import { importFile } from './commands/import.ts';
import { init } from './commands/init.ts';
import { keysCreate } from './commands/keys-create.ts';
import { keysList } from './commands/keys-list.ts';
import { keysRevoke } from './commands/keys-revoke.ts';
import { load } from './commands/load.ts';
import { list } from './commands/list.ts';
import { logs } from './commands/logs.ts';
import { moderate } from './commands/moderate.ts';
import { models } from './commands/models.ts';
import { ps } from './commands/ps.ts';
import { rerank } from './commands/rerank.ts';
import { pull } from './commands/pull.ts';
import { restart } from './commands/restart.ts';
import { run } from './commands/run.ts';
import { rm } from './commands/rm.ts';
import { search } from './commands/search.ts';
import { serve } from './commands/serve.ts';
import { serviceInstall } from './commands/service-install.ts';
import { serviceLogs } from './commands/service-logs.ts';
import { serviceStatus } from './commands/service-status.ts';
import { serviceUninstall } from './commands/service-uninstall.ts';
import { sessionCreate } from './commands/session-create.ts';
import { sessionList } from './commands/session-list.ts';
import { sessionRevoke } from './commands/session-revoke.ts';
import { show } from './commands/show.ts';
import { tokenRotate } from './commands/token-rotate.ts';
import { status } from './commands/status.ts';
import { stop } from './commands/stop.ts';
import { speak } from './commands/speak.ts';
import { transcribe } from './commands/transcribe.ts';
import { translate } from './commands/translate.ts';
import { tui } from './commands/tui.ts';
import { up } from './commands/up.ts';
import { upstreamAdd } from './commands/upstream-add.ts';
import { version } from './commands/version.ts';
import { webhooksAdd } from './commands/webhooks-add.ts';
import { webhooksDeliveries } from './commands/webhooks-deliveries.ts';
import { webhooksEvents } from './commands/webhooks-events.ts';
import { webhooksList } from './commands/webhooks-list.ts';
import { webhooksListen } from './commands/webhooks-listen.ts';
import { webhooksPause } from './commands/webhooks-pause.ts';
import { webhooksReplay } from './commands/webhooks-replay.ts';
import { webhooksResend } from './commands/webhooks-resend.ts';
import { webhooksResume } from './commands/webhooks-resume.ts';
import { webhooksRemove } from './commands/webhooks-rm.ts';
import { webhooksRotate } from './commands/webhooks-rotate.ts';
import { webhooksShow } from './commands/webhooks-show.ts';
import { webhooksTest } from './commands/webhooks-test.ts';
import { webhooksTrigger } from './commands/webhooks-trigger.ts';

/** Every command, in the order in which help shows them. */
export const COMMANDS: readonly Command[] = [
  chat,
  chatsList,
  chatsShow,
  chatsRemove,
  agent,
  agentList,
  agentShow,
  agentAttach,
  agentCancel,
  docsAdd,
  docsList,
  docsRemove,
  docsSearch,
  run,
  embed,
  rerank,
  moderate,
  translate,
  image,
  transcribe,
  speak,
  models,
  pull,
  list,
  show,
  ps,
  load,
  stop,
  importFile,
  upstreamAdd,
  bind,
  cp,
  rm,
  search,
  enginesList,
  enginesInstall,
  enginesBuild,
  enginesRemove,
  up,
  down,
  restart,
  status,
  serve,
  logs,
  doctor,
  keysCreate,
  keysList,
  keysShow,
  keysUpdate,
  keysRotate,
  keysRevoke,
  tui,
  dashboard,
  sessionCreate,
  sessionList,
  sessionRevoke,
  tokenRotate,
  init,
  walletBalance,
  walletHistory,
  walletTopup,
  walletSettings,
  walletExport,
  accountTier,
  webhooksAdd,
  webhooksList,
  webhooksShow,
  webhooksRemove,
  webhooksPause,
  webhooksResume,
  webhooksRotate,
  webhooksEvents,
  webhooksDeliveries,
  webhooksResend,
  webhooksReplay,
  webhooksTest,
  webhooksListen,
  webhooksTrigger,
  configGet,
  configSet,
  configUnset,
  configList,
  configEdit,
  configPath,
  serviceInstall,
  serviceUninstall,
  serviceStatus,
  serviceLogs,
  completion,
  update,
  help,
  version,
];

/** The first words of two-word commands. */
export const COMMAND_FAMILIES: Readonly<Record<string, { summary: string; group: CommandGroup }>> = {
  chats: { summary: 'conversations that askd chat keeps', group: 'Chat:' },
  docs: { summary: 'local documents for the agent', group: 'Chat:' },
  upstream: { summary: 'models that other servers run', group: 'Models:' },
  engines: { summary: 'optional engines: vision, images', group: 'Models:' },
  keys: { summary: 'create, list, change and revoke API keys', group: 'Access:' },
  wallet: { summary: 'credits: balance, history, top-up, settings', group: 'Account:' },
  account: { summary: 'the tier and its limits', group: 'Account:' },
  webhooks: { summary: 'send events to other programs', group: 'Webhooks:' },
  config: { summary: 'the settings in the configuration file', group: 'Setup:' },
  service: { summary: 'start the daemon when you log in', group: 'Setup:' },
  token: { summary: 'the token by which this command line is the owner', group: 'Access:' },
  session: { summary: 'open, list and end dashboard sessions', group: 'Access:' },
};
