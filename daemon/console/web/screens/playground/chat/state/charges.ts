import type { RecordedEvent } from '../../../../../../../src/api/management/events.ts';
import type { AnswerTurn, Numbers, Turn } from './turn.ts';

type Charge = { credits: number; prompt: number; completion: number };

/** What the daemon charged for each request, from the events that it recorded with the charges. */
export function chargesIn(events: readonly RecordedEvent[]): ReadonlyMap<string, Charge> {
  return new Map(
    events.flatMap(({ type, data }) => {
      if (type !== 'chat.completed') return [];
      const { request_id: id, cost, usage } = data as unknown as ChatCompleted;
      return [[id, { credits: cost, prompt: usage.prompt_tokens, completion: usage.completion_tokens }]];
    }),
  );
}

type ChatCompleted = {
  request_id: string;
  cost: number;
  usage: { prompt_tokens: number; completion_tokens: number };
};

/** The same list if there is nothing to add. A stopped answer gets its token counts here. */
export function withCharges(turns: readonly Turn[], charges: ReadonlyMap<string, Charge>): readonly Turn[] {
  let isChanged = false;
  const next = turns.map((turn) => {
    if (turn.kind !== 'answer' || !turn.requests.some((each) => isNews(each, charges))) return turn;
    isChanged = true;
    return charged(turn, charges);
  });
  return isChanged ? next : turns;
}

function isNews({ id, credits }: AnswerTurn['requests'][number], charges: ReadonlyMap<string, Charge>) {
  return credits === undefined && charges.has(id);
}

function charged(answer: AnswerTurn, charges: ReadonlyMap<string, Charge>): AnswerTurn {
  const requests = answer.requests.map((request) => {
    const charge = charges.get(request.id);
    return charge ? { ...request, credits: charge.credits } : request;
  });
  const last = charges.get(answer.requests.at(-1)?.id ?? '');
  const counted: Numbers | undefined = last && { ...last, cached: 0, reasoning: 0 };
  return { ...answer, requests, ...(!answer.numbers && counted && { numbers: counted }) };
}

/** In credits; undefined until every request of the answer is charged. */
export function costOf({ requests }: AnswerTurn): number | undefined {
  if (requests.length === 0 || requests.some(({ credits }) => credits === undefined)) return undefined;
  return requests.reduce((total, { credits = 0 }) => total + credits, 0);
}
