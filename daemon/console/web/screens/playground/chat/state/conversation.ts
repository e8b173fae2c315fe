import { chosenOf, isRunning, userTurn, type AnswerTurn, type Call, type Turn } from './turn.ts';

/** Everything before a turn. */
export function before(turns: readonly Turn[], id: string): Turn[] {
  return turns.slice(0, placeOf(turns, id));
}

/** An edited message restarts the conversation from its place. */
export function withEditedMessage(turns: readonly Turn[], id: string, text: string): Turn[] {
  const edited = turns[placeOf(turns, id)];
  const attachments = edited?.kind === 'user' ? edited.attachments : [];
  return [...before(turns, id), userTurn(text, attachments)];
}

/** Later messages stay: the next request sends the answer as if the model had written it that way. */
export function withEditedAnswer(turns: readonly Turn[], id: string, content: string): Turn[] {
  return changeAnswer(turns, id, (answer) => ({
    ...answer,
    state: 'done',
    choices: answer.choices.map((choice, index) =>
      index === answer.chosen ? { ...choice, content, tokens: [] } : choice,
    ),
  }));
}

/** Removes a message and everything up to the next message. */
export function withoutExchange(turns: readonly Turn[], id: string): Turn[] {
  const from = placeOf(turns, id);
  const next = turns.findIndex(({ kind }, index) => index > from && kind === 'user');
  return [...turns.slice(0, from), ...(next === -1 ? [] : turns.slice(next))];
}

export function changeAnswer(
  turns: readonly Turn[],
  id: string,
  change: (answer: AnswerTurn) => AnswerTurn,
): Turn[] {
  return turns.map((turn) => (turn.id === id && turn.kind === 'answer' ? change(turn) : turn));
}

/** The calls whose results the model is waiting for. */
export function openCalls(turns: readonly Turn[]): readonly Call[] {
  const last = turns.at(-1);
  return last?.kind === 'answer' && !isRunning(last) ? chosenOf(last).calls : [];
}

/** Whether the answer breaks off and the model can continue from its last word. */
export function canContinue(turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  if (last?.kind !== 'answer' || isRunning(last)) return false;
  const { content, calls, finish } = chosenOf(last);
  return content !== '' && calls.length === 0 && (finish === 'length' || last.state !== 'done');
}

/** What the daemon refused in the latest request, by the parameter that caused it. */
export function refusalsOf(turns: readonly Turn[]): Record<string, string> {
  const last = turns.at(-1);
  if (last?.kind !== 'answer' || !last.problem?.param) return {};
  const { message, param } = last.problem;
  return { [/^\w+/.exec(param)?.[0] ?? param]: message };
}

/** A page that was closed left its answers unfinished. */
export function afterReload(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) =>
    turn.kind === 'answer' && isRunning(turn) ? { ...turn, state: 'stopped' } : turn,
  );
}

function placeOf(turns: readonly Turn[], id: string): number {
  const place = turns.findIndex((turn) => turn.id === id);
  return place === -1 ? turns.length : place;
}
