import type { ChatCompletionChunk } from '../../../../../../../src/api/chat/chat.ts';
import { askedFormat, problemsOf, toBody } from '../settings/settings.ts';
import { changeAnswer } from './conversation.ts';
import { toMessages } from './messages.ts';
import { changePane, settingsOf, withoutPane, type Pane } from './playground.ts';
import { change, current } from './store.ts';
import { follow, merged, stop } from './follow.ts';
import { answerTurn, chosenOf, isRunning, type AnswerTurn, type Turn } from './turn.ts';
import { without } from './without.ts';

/** Asks a pane's model for the answer to these turns. */
export function ask(index: number, turns: readonly Turn[]): Promise<void> {
  const settings = settingsOf(current(), index);
  const format = askedFormat(settings);
  const answer = { ...answerTurn(settings.model), ...(format && { format }) };
  const wrong = Object.keys(problemsOf(settings));
  if (wrong.length > 0) {
    const problem = { message: `Not sent. Fix these settings first: ${wrong.join(', ')}.`, param: null };
    setTurns(index, [...turns, { ...answer, state: 'failed', problem }]);
    return Promise.resolve();
  }
  return run(index, turns, { answer, body: toBody(settings, toMessages(turns)) });
}

/** Lets the model continue from the last word of its answer. */
export function continueAnswer(index: number): Promise<void> {
  const turns = current().panes[index]?.turns ?? [];
  const last = turns.at(-1);
  if (last?.kind !== 'answer') return Promise.resolve();
  const body = without(toBody(settingsOf(current(), index), toMessages(turns)), 'n');
  const begun = without(last, 'problem', 'numbers');
  const answer: AnswerTurn = { ...begun, state: 'waiting', choices: [chosenOf(last)], chosen: 0 };
  return run(index, turns.slice(0, -1), { answer, body });
}

function run(
  index: number,
  turns: readonly Turn[],
  { answer, body }: { answer: AnswerTurn; body: object },
): Promise<void> {
  stop(idsOf(current().panes[index]));
  setTurns(index, [...turns, answer]);
  const toChunk = (chunk: ChatCompletionChunk) => chunk;
  return follow(answer, { path: '/v1/chat/completions', body, toChunk, show: showAnswer });
}

export function setTurns(index: number, turns: readonly Turn[]): void {
  change((state) => changePane(state, index, (pane) => ({ ...pane, turns })));
}

/** Wherever it is by now: conversations are opened and closed while an answer runs. */
function showAnswer(answer: AnswerTurn): void {
  const show = (pane: Pane) => ({
    ...pane,
    turns: changeAnswer(pane.turns, answer.id, (now) => merged(now, answer)),
  });
  change((state) => ({ ...state, panes: state.panes.map(show) }));
}

/** Everything that is running, in both conversations. */
export function stopAll(): void {
  stop(current().panes.flatMap(idsOf));
}

export function closePane(index: number): void {
  stop(idsOf(current().panes[index]));
  change((state) => withoutPane(state, index));
}

function idsOf(pane: Pane | undefined): string[] {
  return (pane?.turns ?? []).map(({ id }) => id);
}

export function isBusy(turns: readonly Turn[]): boolean {
  return turns.some((turn) => turn.kind === 'answer' && isRunning(turn));
}
