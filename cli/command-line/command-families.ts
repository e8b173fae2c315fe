import type { CommandGroup } from '../command.ts';

/** The first words of two-word commands. */
export const COMMAND_FAMILIES: Readonly<Record<string, { summary: string; group: CommandGroup }>> = {
  chats: { summary: 'conversations saved by askd chat', group: 'Chat:' },
  docs: { summary: 'local documents for the agent', group: 'Chat:' },
  mcp: { summary: 'tools for models, by the Model Context Protocol', group: 'Chat:' },
  batch: { summary: 'run files of requests in the background at half price', group: 'Text:' },
  adapter: { summary: 'LoRA adapters for chat models', group: 'Models:' },
  upstream: { summary: 'models served by other servers', group: 'Models:' },
  engines: { summary: 'optional engines: vision, images', group: 'Models:' },
  keys: { summary: 'create, list, change and revoke API keys', group: 'Access:' },
  wallet: { summary: 'credits: balance, history, top-up, settings', group: 'Account:' },
  simulate: { summary: 'simulate failures and delays for test keys', group: 'Access:' },
  account: { summary: 'the tier and its limits; accounts for others', group: 'Account:' },
  webhooks: { summary: 'send events to other programs', group: 'Webhooks:' },
  secrets: { summary: 'passwords and tokens, in the keyring or a file', group: 'Setup:' },
  config: { summary: 'the settings in the configuration file', group: 'Setup:' },
  service: { summary: 'start the daemon when you log in', group: 'Setup:' },
  token: { summary: 'the owner token of this command line', group: 'Access:' },
  session: { summary: 'open, list and end dashboard sessions', group: 'Access:' },
};
