import type { AgentRun } from '../../../src/api/tasks/agent.ts';
import type { ActivitySample } from '../../../src/api/management/activity.ts';
import type { Artifact, Status } from '../../../src/api/management/daemon.ts';
import type { DaemonEvent, RecordedEvent } from '../../../src/api/management/events.ts';
import type { ApiKey } from '../../../src/api/account/keys.ts';
import type { ChatSummary } from '../../../src/api/management/chats.ts';
import type { CatalogEntry } from '../../../src/api/management/catalog.ts';
import type { Pull } from '../../../src/api/management/library.ts';
import type { Model } from '../../../src/api/management/models.ts';
import type { TierRecord } from '../../../src/api/account/account.ts';
import type { Transaction } from '../../../src/api/account/wallet.ts';
import type { WalletSettings } from '../../../src/api/account/wallet-settings.ts';
import type { Webhook, WebhookDelivery } from '../../../src/api/account/webhooks.ts';
import type { LogEntry } from '../../daemon-control/logs/line.ts';
import { NO_CHAT, type ChatState } from '../chat/state.ts';
import type { Dialog } from '../dialog/dialog.ts';
import type { Watched } from './watched.ts';

export const SCREENS = ['chat', 'overview', 'models', 'keys', 'wallet', 'webhooks', 'agent', 'logs'] as const;
export type ScreenId = (typeof SCREENS)[number];

export const KEPT_MAX = 500;

export type Connection =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** The data on the screen is old; the next attempt is at this time. */
  | { kind: 'lost'; reason: string; retryAt: number };

/** Data of the daemon; undefined while loading. */
export type Data = {
  /** The last hour, oldest first; the latest is still growing. */
  activity?: readonly ActivitySample[];
  /** Summaries of the saved conversations, latest first. */
  chats?: readonly ChatSummary[];
  artifacts?: readonly Artifact[];
  catalog?: readonly CatalogEntry[];
  models?: readonly Model[];
  keys?: readonly ApiKey[];
  transactions?: readonly Transaction[];
  settings?: WalletSettings;
  tier?: TierRecord;
  webhooks?: readonly Webhook[];
  runs?: readonly AgentRun[];
  deliveries: Readonly<Record<string, readonly WebhookDelivery[]>>;
};

export type View = {
  /** By id, so that the selection survives changes. */
  selected?: string;
  filter: string;
  /** The row of the second list, or the line of a scrolled text; empty is the default position. */
  detail?: string;
  pane: 'list' | 'detail';
};

export type AgentActivity = Extract<DaemonEvent, { topic: 'status' }>['agent'];

export type Prompt = { kind: 'filter' | 'command'; text: string };
export type Toast = { text: string; tone: 'good' | 'bad'; until: number };

export type Log = { number: number; entry: LogEntry; raw: string };

export type State = {
  size: { columns: number; rows: number };
  now: number;
  connection: Connection;
  status?: Status;
  pulls: readonly Pull[];
  /** The daemon's state of agent runs; a change triggers a refresh. */
  agent: AgentActivity;
  /** By the id of the run. */
  watched: Readonly<Record<string, Watched>>;
  /** The ids of agent runs, in the order in which they started. */
  sideBySide: readonly string[];
  chat: ChatState;
  /** Between the last two statuses. */
  tokensPerSecond: number;
  events: readonly RecordedEvent[];
  logs: readonly Log[];
  logCount: number;
  logLevel: number;
  isFollowing: boolean;
  showsAvailable: boolean;
  showsHour: boolean;
  data: Data;
  screen: ScreenId;
  earlier: ScreenId;
  views: Readonly<Record<ScreenId, View>>;
  dialog?: Dialog;
  prompt?: Prompt;
  toast?: Toast;
  /** The equivalent command lines, newest last. */
  done: readonly string[];
};

const VIEW: View = { filter: '', pane: 'list' };

export function initialState({ screen, size, now }: Pick<State, 'screen' | 'size' | 'now'>): State {
  return {
    size,
    now,
    connection: { kind: 'connecting' },
    pulls: [],
    agent: { running: [], latest: null },
    watched: {},
    sideBySide: [],
    chat: NO_CHAT,
    tokensPerSecond: 0,
    events: [],
    logs: [],
    logCount: 0,
    logLevel: 0,
    isFollowing: true,
    showsAvailable: false,
    showsHour: false,
    data: { deliveries: {} },
    screen,
    earlier: screen,
    views: {
      chat: { ...VIEW, pane: 'detail' },
      overview: VIEW,
      models: VIEW,
      keys: VIEW,
      wallet: VIEW,
      webhooks: VIEW,
      agent: VIEW,
      logs: VIEW,
    },
    done: [],
  };
}
