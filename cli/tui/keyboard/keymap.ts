import type { ScreenId } from '../state/state.ts';

export type ActionId = (typeof KEYMAP)[number]['action'];

type Scope = 'anywhere' | ScreenId;

type Binding = {
  keys: readonly string[];
  where: Scope;
  action: string;
  /** For the help. */
  does: string;
  /** For the footer, where there is room. */
  short?: string;
};

/** Every key of the dashboard. Actions, footer, help and documentation derive from this table. */
export const KEYMAP = [
  {
    keys: ['enter'],
    where: 'models',
    action: 'models.show',
    does: 'show details of the model',
    short: 'show',
  },
  { keys: ['p'], where: 'models', action: 'models.pull', does: 'download a model', short: 'pull' },
  {
    keys: ['l'],
    where: 'models',
    action: 'models.load',
    does: 'load it into memory, or unload it',
    short: 'load/stop',
  },
  {
    keys: ['b'],
    where: 'models',
    action: 'models.bind',
    does: 'bind it to a service model',
    short: 'bind',
  },
  {
    keys: ['x'],
    where: 'models',
    action: 'models.remove',
    does: 'remove it, or cancel its download',
    short: 'remove',
  },
  {
    keys: ['a'],
    where: 'models',
    action: 'models.available',
    does: 'show what can be downloaded, or hide it',
    short: 'available',
  },
  {
    keys: ['l'],
    where: 'overview',
    action: 'overview.load',
    does: 'load a model into memory',
    short: 'load',
  },
  {
    keys: ['s'],
    where: 'overview',
    action: 'overview.stop',
    does: 'unload the model',
    short: 'stop',
  },
  {
    keys: ['p'],
    where: 'overview',
    action: 'overview.pin',
    does: 'keep the model in memory until it is stopped',
    short: 'pin',
  },
  {
    keys: ['enter'],
    where: 'overview',
    action: 'overview.show',
    does: 'go to the events; there, open one',
    short: 'events',
  },
  {
    keys: ['h'],
    where: 'overview',
    action: 'overview.hour',
    does: 'graphs of the last hour, or of the last minutes',
    short: 'hour',
  },
  {
    keys: ['n'],
    where: 'keys',
    action: 'keys.create',
    does: 'create a key; its secret is shown once',
    short: 'new',
  },
  {
    keys: ['d'],
    where: 'keys',
    action: 'keys.revoke',
    does: 'revoke the key: type its name',
    short: 'revoke',
  },
  { keys: ['e'], where: 'keys', action: 'keys.edit', does: 'change its name and scopes', short: 'edit' },
  {
    keys: ['R'],
    where: 'keys',
    action: 'keys.rotate',
    does: 'replace it with a key with a new secret',
    short: 'rotate',
  },
  { keys: ['space'], where: 'keys', action: 'keys.toggle', does: 'disable or enable it', short: 'on/off' },
  { keys: ['t'], where: 'wallet', action: 'wallet.topup', does: 'add credits', short: 'top up' },
  {
    keys: ['e'],
    where: 'wallet',
    action: 'wallet.edit',
    does: 'change top-up, limit and alert',
    short: 'settings',
  },
  { keys: ['T'], where: 'wallet', action: 'wallet.tier', does: 'change the tier', short: 'tier' },
  {
    keys: ['x'],
    where: 'wallet',
    action: 'wallet.export',
    does: 'write every transaction to a CSV file',
    short: 'export',
  },
  {
    keys: ['n'],
    where: 'webhooks',
    action: 'webhooks.add',
    does: 'add a webhook; its secret is shown once',
    short: 'add',
  },
  { keys: ['t'], where: 'webhooks', action: 'webhooks.test', does: 'send a test event now', short: 'test' },
  {
    keys: ['enter'],
    where: 'webhooks',
    action: 'webhooks.open',
    does: 'go to its deliveries; there, open one',
    short: 'deliveries',
  },
  {
    keys: ['R'],
    where: 'webhooks',
    action: 'webhooks.resend',
    does: 'resend the selected delivery',
    short: 'resend',
  },
  {
    keys: ['space'],
    where: 'webhooks',
    action: 'webhooks.toggle',
    does: 'pause it or resume it',
    short: 'pause',
  },
  {
    keys: ['e'],
    where: 'webhooks',
    action: 'webhooks.edit',
    does: 'change its name, address and events',
    short: 'edit',
  },
  {
    keys: ['d'],
    where: 'webhooks',
    action: 'webhooks.remove',
    does: 'remove it: type its name',
    short: 'remove',
  },
  {
    keys: ['o'],
    where: 'webhooks',
    action: 'webhooks.rotate',
    does: 'give it a new secret',
    short: 'rotate',
  },
  {
    keys: ['P'],
    where: 'webhooks',
    action: 'webhooks.replay',
    does: 'resend undelivered events',
    short: 'replay',
  },
  { keys: ['n'], where: 'agent', action: 'agent.ask', does: 'ask the agent a question', short: 'ask' },
  {
    keys: ['enter'],
    where: 'agent',
    action: 'agent.watch',
    does: 'show the run full screen, or go back; arrows scroll',
    short: 'watch',
  },
  { keys: ['c'], where: 'agent', action: 'agent.cancel', does: 'stop the run', short: 'cancel' },
  {
    keys: ['f'],
    where: 'agent',
    action: 'agent.follow',
    does: 'ask a follow-up in the same conversation',
    short: 'follow up',
  },
  {
    keys: ['o'],
    where: 'agent',
    action: 'agent.source',
    does: 'open a source and the cited passages',
    short: 'source',
  },
  { keys: ['y'], where: 'agent', action: 'agent.copy', does: 'copy the answer', short: 'copy' },
  {
    keys: ['d'],
    where: 'agent',
    action: 'agent.forget',
    does: 'delete the conversation with all its runs',
    short: 'forget',
  },
  {
    keys: ['f'],
    where: 'logs',
    action: 'logs.follow',
    does: 'follow new lines, or stop',
    short: 'follow',
  },
  {
    keys: ['L'],
    where: 'logs',
    action: 'logs.level',
    does: 'only this level and above: all, info, warn, error',
    short: 'level',
  },
  { keys: ['enter'], where: 'logs', action: 'logs.show', does: 'show the whole entry', short: 'show' },
  { keys: ['S'], where: 'logs', action: 'logs.save', does: 'save the lines shown to a file', short: 'save' },
  {
    keys: ['/'],
    where: 'anywhere',
    action: 'filter',
    does: 'filter by text; a leading ! inverts it',
    short: 'filter',
  },
  {
    keys: [':'],
    where: 'anywhere',
    action: 'command',
    does: 'a command: keys, pull MODEL, topup 10, ask QUESTION, quit',
    short: 'command',
  },
  { keys: ['?', 'f1'], where: 'anywhere', action: 'help', does: 'the keys of this screen', short: 'help' },
  {
    keys: ['q', 'ctrl+c'],
    where: 'anywhere',
    action: 'quit',
    does: 'quit; stops runs started here',
    short: 'quit',
  },
  { keys: ['1', '2', '3', '4', '5', '6', '7'], where: 'anywhere', action: 'screen', does: 'go to a screen' },
  { keys: ['right', ']'], where: 'anywhere', action: 'screen.next', does: 'the next screen' },
  { keys: ['left', '['], where: 'anywhere', action: 'screen.previous', does: 'the previous screen' },
  { keys: ['-'], where: 'anywhere', action: 'screen.back', does: 'the last screen shown' },
  { keys: ['tab', 'shift+tab'], where: 'anywhere', action: 'pane', does: 'the other list of the screen' },
  { keys: ['down', 'j'], where: 'anywhere', action: 'down', does: 'one row down' },
  { keys: ['up', 'k'], where: 'anywhere', action: 'up', does: 'one row up' },
  { keys: ['ctrl+d', 'pagedown'], where: 'anywhere', action: 'page.down', does: 'ten rows down' },
  { keys: ['ctrl+u', 'pageup'], where: 'anywhere', action: 'page.up', does: 'ten rows up' },
  { keys: ['g', 'home'], where: 'anywhere', action: 'first', does: 'the first row' },
  { keys: ['G', 'end'], where: 'anywhere', action: 'last', does: 'the last row' },
  { keys: ['esc'], where: 'anywhere', action: 'back', does: 'go back, or clear the filter' },
  { keys: ['r'], where: 'anywhere', action: 'refresh', does: 'refresh' },
  { keys: ['ctrl+r'], where: 'anywhere', action: 'reconnect', does: 'reconnect now' },
  { keys: ['@'], where: 'anywhere', action: 'done', does: 'changes made here, as commands' },
  { keys: ['ctrl+z'], where: 'anywhere', action: 'suspend', does: 'suspend to the shell; fg returns' },
] as const satisfies readonly Binding[];

/** The action of a key on a screen: its own binding before a global one. */
export function actionOf(key: string, screen: ScreenId): ActionId | undefined {
  const matching = (KEYMAP as readonly Binding[]).filter(({ keys }) => keys.includes(key));
  const found =
    matching.find(({ where }) => where === screen) ?? matching.find(({ where }) => where === 'anywhere');
  return found?.action as ActionId | undefined;
}

export type Hint = { key: string; text: string };

/** For the footer: the screen's keys, then the global ones. */
export function hintsOf(screen: ScreenId): readonly Hint[] {
  return bindingsOf(screen).flatMap(({ keys, short }) =>
    short === undefined ? [] : [{ key: keys[0] ?? '', text: short }],
  );
}

export function helpOf(screen: ScreenId): readonly (readonly [keys: string, does: string])[] {
  return bindingsOf(screen).map(({ keys, does }) => [keys.join(', '), does] as const);
}

function bindingsOf(screen: ScreenId): readonly Binding[] {
  const all: readonly Binding[] = KEYMAP;
  return [...all.filter(({ where }) => where === screen), ...all.filter(({ where }) => where === 'anywhere')];
}
