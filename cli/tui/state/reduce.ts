import type { AgentEvent } from '../../../src/api/tasks/agent.ts';
import { SAMPLES_MAX, type ActivitySample } from '../../../src/api/management/activity.ts';
import type { DaemonEvent, RecordedEvent } from '../../../src/api/management/events.ts';
import { parseLogLine, type LogEntry } from '../../daemon-control/logs/line.ts';
import { reduceChat, type ChatAction } from '../chat/state.ts';
import type { Dialog } from '../dialog/dialog.ts';
import { withBegun } from './side-by-side.ts';
import {
  KEPT_MAX,
  type Connection,
  type Data,
  type Log,
  type Prompt,
  type ScreenId,
  type State,
  type Toast,
  type View,
} from './state.ts';
import { reduceRuns } from './watched.ts';

export type Action =
  | { type: 'event'; event: DaemonEvent; now: number }
  | { type: 'events'; events: readonly DaemonEvent[]; now: number }
  | { type: 'connection'; connection: Connection; now: number }
  | { type: 'tick'; now: number }
  | { type: 'resized'; columns: number; rows: number }
  | { type: 'loaded'; data: Partial<Data> }
  | { type: 'deliveries'; webhook: string; deliveries: Data['deliveries'][string] }
  | { type: 'watch'; run: string; isMine: boolean }
  | { type: 'run'; run: string; event: AgentEvent }
  /** Without a reason, nobody watches it any more. */
  | { type: 'unwatched'; run: string; reason: string | undefined }
  | { type: 'chat'; change: ChatAction }
  | { type: 'go'; screen: ScreenId }
  | { type: 'view'; screen: ScreenId; view: Partial<View> }
  | { type: 'dialog'; dialog: Dialog | undefined }
  | { type: 'prompt'; prompt: Prompt | undefined }
  | { type: 'toast'; toast: Toast | undefined }
  | { type: 'did'; command: string }
  | {
      type: 'set';
      change: Partial<
        Pick<State, 'isFollowing' | 'logLevel' | 'showsAvailable' | 'showsHour' | 'sideBySide'>
      >;
    };

/** The next state. Pure: side effects are up to the caller. */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'event':
      return reduceEvents(state, [action.event], action.now);
    case 'events':
      return reduceEvents(state, action.events, action.now);
    case 'connection':
      return { ...state, connection: action.connection, now: action.now };
    case 'tick':
      return expire({ ...state, now: action.now });
    case 'resized':
      return { ...state, size: { columns: action.columns, rows: action.rows } };
    case 'loaded':
      return withData(state, action.data);
    case 'deliveries': {
      const deliveries = { ...state.data.deliveries, [action.webhook]: action.deliveries };
      return { ...state, data: { ...state.data, deliveries } };
    }
    case 'watch':
    case 'run':
    case 'unwatched':
      return { ...state, watched: reduceRuns(state.watched, action, state.now) };
    case 'chat':
      return { ...state, chat: reduceChat(state.chat, action.change) };
    case 'go':
      return action.screen === state.screen
        ? state
        : { ...without(state, 'prompt'), screen: action.screen, earlier: state.screen };
    case 'view': {
      const view = { ...state.views[action.screen], ...action.view };
      return { ...state, views: { ...state.views, [action.screen]: view } };
    }
    case 'dialog':
      return action.dialog ? { ...state, dialog: action.dialog } : without(state, 'dialog');
    case 'prompt':
      return action.prompt ? { ...state, prompt: action.prompt } : without(state, 'prompt');
    case 'toast':
      return action.toast ? { ...state, toast: action.toast } : without(state, 'toast');
    case 'did':
      return { ...state, done: keep(state.done, [action.command]) };
    case 'set':
      return { ...state, ...action.change };
  }
}

function withData(state: State, data: Partial<Data>): State {
  const next = { ...state, data: { ...state.data, ...data } };
  if (data.runs === undefined) return next;
  return { ...next, sideBySide: withBegun(state.sideBySide, data.runs, state.data.runs) };
}

function without<Name extends 'dialog' | 'prompt' | 'toast'>(state: State, name: Name): State {
  const rest = { ...state };
  delete rest[name];
  return rest;
}

function expire(state: State): State {
  return state.toast && state.toast.until <= state.now ? without(state, 'toast') : state;
}

function keep<Item>(list: readonly Item[], items: readonly Item[], max = KEPT_MAX): readonly Item[] {
  return items.length === 0 ? list : [...list, ...items].slice(-max);
}

function reduceEvents(state: State, events: readonly DaemonEvent[], now: number): State {
  const lines: string[] = [];
  const recorded: RecordedEvent[] = [];
  let next = { ...state, now };
  for (const event of events) {
    if (event.topic === 'status') next = reduceStatus(next, event);
    else if (event.topic === 'log') lines.push(event.line);
    else recorded.push(event.topic === 'gap' ? gapAsEvent(event.missed, now) : event);
  }
  const logs = lines.map((line, index) => toLog(line, state.logCount + index + 1));
  return {
    ...next,
    logCount: state.logCount + lines.length,
    logs: keep(state.logs, logs),
    events: keep(state.events, recorded),
  };
}

function toLog(raw: string, number: number): Log {
  const entry = parseLogLine(raw) ?? ({ level: 50, msg: raw } satisfies LogEntry);
  return { number, entry, raw };
}

function gapAsEvent(missed: number, now: number): RecordedEvent {
  const createdAt = new Date(now).toISOString();
  return { topic: 'other', id: `gap_${createdAt}`, type: 'gap', created_at: createdAt, data: { missed } };
}

/** The rate comes from the difference to the last status of the same daemon run. */
function reduceStatus(
  state: State,
  { status, activity, pulls, agent }: Extract<DaemonEvent, { topic: 'status' }>,
): State {
  const before = state.status;
  const seconds = before ? status.uptime_seconds - before.uptime_seconds : 0;
  const data = activity ? { ...state.data, activity: withSample(state.data.activity, activity) } : state.data;
  const next = { ...state, data, status, pulls, agent, connection: { kind: 'live' } as const };
  if (!before || before.boot_id !== status.boot_id || seconds <= 0) return next;
  const tokens = status.served.generated_tokens - before.served.generated_tokens;
  return { ...next, tokensPerSecond: Math.max(0, tokens) / seconds };
}

/** The growing sample replaces its earlier state. */
function withSample(samples: readonly ActivitySample[] = [], latest: ActivitySample) {
  const closed = samples.at(-1)?.at === latest.at ? samples.slice(0, -1) : samples;
  return [...closed, latest].slice(-SAMPLES_MAX);
}
