import type { Binding } from './binding.ts';

/** The agent and the logs. */
export const AGENT_KEYS = [
  { keys: ['n'], where: 'agent', action: 'agent.ask', does: 'ask the agent a question', short: 'ask' },
  {
    keys: ['enter'],
    where: 'agent',
    action: 'agent.watch',
    does: 'show the run full screen, or go back; arrows scroll',
    short: 'watch',
  },
  {
    keys: ['tab', 'shift+tab'],
    where: 'agent',
    action: 'agent.focus',
    does: 'the next or previous run side by side; otherwise the list or the run',
  },
  {
    keys: ['space'],
    where: 'agent',
    action: 'agent.beside',
    does: 'put the run beside the others, or take it away; new runs appear by themselves',
    short: 'beside',
  },
  { keys: ['c'], where: 'agent', action: 'agent.cancel', does: 'stop the run', short: 'cancel' },
  {
    keys: ['r'],
    where: 'agent',
    action: 'agent.retry',
    does: 'ask the same question again',
    short: 'retry',
  },
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
  {
    keys: ['x'],
    where: 'agent',
    action: 'agent.report',
    does: 'write a report with the sources and steps to a file, and open it',
    short: 'report',
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
] as const satisfies readonly Binding[];
