import type { FinishReason, Logprobs } from '../../../../../../../src/api/chat/chat.ts';

export type Attachment = { kind: 'image' | 'document'; name: string; url: string };
export type Call = { id: string; name: string; text: string; isCustom: boolean };
export type Result = { id: string; name: string; content: string };
export type Token = Logprobs['content'][number];

export type Choice = {
  content: string;
  reasoning: string;
  calls: readonly Call[];
  tokens: readonly Token[];
  finish: FinishReason | null;
  /** Why the answer is shorter than allowed. */
  detail?: string;
};

export type Numbers = {
  prompt: number;
  completion: number;
  cached: number;
  reasoning: number;
  perSecond?: number;
};

/** What the daemon returned instead of an answer, or instead of the rest of it. */
export type Problem = { message: string; param: string | null };

/** The requested format, so that the answer can be compared with it. */
export type AskedFormat = { kind: 'json' } | { kind: 'schema'; schema: unknown };

export type UserTurn = {
  kind: 'user';
  id: string;
  text: string;
  attachments: readonly Attachment[];
};

export type ResultsTurn = { kind: 'results'; id: string; results: readonly Result[] };

export type AnswerTurn = {
  kind: 'answer';
  id: string;
  model: string;
  state: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed';
  choices: readonly Choice[];
  chosen: number;
  format?: AskedFormat;
  /** Each request that added to it, with its cost in credits once the daemon has charged it. */
  requests: readonly { id: string; credits?: number }[];
  /** What ran it, under the daemon's name for it. */
  servedBy?: string;
  firstMs?: number;
  reasoningMs?: number;
  totalMs?: number;
  numbers?: Numbers;
  problem?: Problem;
};

export type Turn = UserTurn | ResultsTurn | AnswerTurn;

const EMPTY: Choice = { content: '', reasoning: '', calls: [], tokens: [], finish: null };

let made = 0;

export function newId(): string {
  made += 1;
  return `${Date.now().toString(36)}-${made}`;
}

export function userTurn(text: string, attachments: readonly Attachment[] = []): UserTurn {
  return { kind: 'user', id: newId(), text, attachments };
}

export function answerTurn(model: string, choice: Partial<Choice> = {}): AnswerTurn {
  return {
    kind: 'answer',
    id: newId(),
    model,
    state: 'waiting',
    choices: [{ ...EMPTY, ...choice }],
    chosen: 0,
    requests: [],
  };
}

export function emptyChoice(): Choice {
  return EMPTY;
}

export function chosenOf({ choices, chosen }: AnswerTurn): Choice {
  return choices[chosen] ?? EMPTY;
}

export function isRunning({ state }: AnswerTurn): boolean {
  return state === 'waiting' || state === 'streaming';
}
