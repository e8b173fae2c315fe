import type { Binding } from './binding.ts';

/** On every screen that does not give the key its own meaning. */
export const GLOBAL_KEYS = [
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
    does: 'a command: pull MODEL, topup 10, folder DIR, quit',
    short: 'command',
  },
  { keys: ['?', 'f1'], where: 'anywhere', action: 'help', does: 'the keys of this screen', short: 'help' },
  {
    keys: ['q', 'ctrl+c'],
    where: 'anywhere',
    action: 'quit',
    does: 'quit; stops runs and answers started here',
    short: 'quit',
  },
  {
    keys: ['1', '2', '3', '4', '5', '6', '7', '8'],
    where: 'anywhere',
    action: 'screen',
    does: 'go to a screen',
  },
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
