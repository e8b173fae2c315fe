import { placeOf } from '../../agent/answer/places.ts';
import type { AgentRun, AgentRunRequest } from '../../../src/api/tasks/agent.ts';
import { AGENT_CYCLES_MAX } from '../../../src/api/account/limits.ts';
import { Failure } from '../../../src/base/errors.ts';
import { sanitise } from '../../output/sanitise.ts';
import { did, openDialog, quote, say, textAnswer, type Act, type Deck, type Submission } from '../deck.ts';
import type { ActionId } from '../keyboard/keymap.ts';
import { selectedRow } from '../screens.ts';
import { answerOf, type Done } from '../state/watched.ts';

const MODES = ['research', 'coding', 'chat'] as const;

export const runOf = ({ store, theme }: Deck) => selectedRow(store.current(), theme) as AgentRun | undefined;

function doneOf(deck: Deck): Done | undefined {
  const run = runOf(deck);
  const end = run && deck.store.current().watched[run.id]?.tree.end;
  return end?.type === 'done' ? end : undefined;
}

function ask(deck: Deck): void {
  openDialog(deck, {
    kind: 'form',
    title: 'Ask the agent',
    focus: 0,
    submit: 'agent.start',
    fields: [
      {
        kind: 'text',
        name: 'query',
        label: 'question',
        value: '',
        hint: 'it searches your documents (askd docs add)',
      },
      {
        kind: 'choice',
        name: 'mode',
        label: 'mode',
        value: 'research',
        choices: MODES,
        hint: 'arrows choose',
      },
      {
        kind: 'text',
        name: 'cycles',
        label: 'cycles',
        value: '',
        hint: `maximum number of cycles, 1 to ${AGENT_CYCLES_MAX}; empty for the default of the mode`,
      },
    ],
  });
}

/** In the same conversation. */
function followUp(deck: Deck): void {
  const run = runOf(deck);
  if (!run) return;
  openDialog(deck, {
    kind: 'form',
    title: 'Ask a follow-up',
    focus: 0,
    submit: 'agent.start',
    about: run.session_id,
    fields: [
      { kind: 'text', name: 'query', label: 'question', value: '', hint: `after: ${run.query}` },
      { kind: 'choice', name: 'mode', label: 'mode', value: run.mode, choices: MODES, hint: 'arrows choose' },
    ],
  });
}

/** Resolves to the id of the run, which is shown beside those in progress. */
export async function startRun(deck: Deck, request: AgentRunRequest): Promise<string> {
  const { query, mode, maxCycles, sessionId, model } = request;
  const run = await deck.runs.start(deck.client(), request);
  const options = [
    mode !== undefined && mode !== 'research' && ` --mode ${mode}`,
    maxCycles !== undefined && ` --max-cycles ${maxCycles}`,
    sessionId !== undefined && ` --session ${sessionId}`,
    model !== undefined && ` --model ${quote(model)}`,
  ];
  did(deck, `askd agent ${quote(query)}${options.filter((each) => each !== false).join('')}`);
  await deck.loader.refresh('runs');
  deck.store.dispatch({
    type: 'view',
    screen: 'agent',
    view: { selected: run, pane: 'detail', detail: '', filter: '' },
  });
  deck.store.dispatch({ type: 'go', screen: 'agent' });
  return run;
}

function watch({ store }: Deck): void {
  const { pane } = store.current().views.agent;
  store.dispatch({
    type: 'view',
    screen: 'agent',
    view: { pane: pane === 'list' ? 'detail' : 'list', detail: '' },
  });
}

function cancel(deck: Deck): void {
  const run = runOf(deck);
  if (!run) return;
  if (run.status !== 'running') return say(deck, 'That run has ended.', 'bad');
  openDialog(deck, {
    kind: 'confirm',
    title: 'Stop a run',
    text: `Stop working on: ${run.query}`,
    typed: '',
    submit: 'agent.cancel',
    about: run.id,
  });
}

function forget(deck: Deck): void {
  const run = runOf(deck);
  if (!run) return;
  const runs = (deck.store.current().data.runs ?? []).filter(({ session_id: id }) => id === run.session_id);
  openDialog(deck, {
    kind: 'confirm',
    title: 'Delete a conversation',
    text: `Delete the conversation of this run${runs.length > 1 ? ` with its ${runs.length} runs` : ''}: ${run.query}`,
    typed: '',
    submit: 'agent.forget',
    about: run.session_id,
  });
}

function openSource(deck: Deck): void {
  const sources = doneOf(deck)?.sources ?? [];
  const [first] = sources;
  if (first === undefined) return say(deck, 'This run has no sources yet.', 'bad');
  openDialog(deck, {
    kind: 'form',
    title: 'Open a source',
    focus: 0,
    submit: 'agent.source',
    fields: [
      {
        kind: 'choice',
        name: 'source',
        label: 'source',
        value: labelOf(first),
        choices: sources.map(labelOf),
        hint: 'arrows choose',
      },
    ],
  });
}

const labelOf = ({ n, title }: Done['sources'][number]) => `[${n}] ${title}`;

function copyAnswer(deck: Deck): void {
  const run = runOf(deck);
  const watched = run && deck.store.current().watched[run.id];
  const answer = watched && answerOf(watched);
  if (!answer) return say(deck, 'This run has no answer yet.', 'bad');
  deck.copy(sanitise(answer));
  say(deck, 'Copied the answer to the clipboard.');
}

export const agent = {
  'agent.ask': ask,
  'agent.watch': watch,
  'agent.cancel': cancel,
  'agent.follow': followUp,
  'agent.source': openSource,
  'agent.copy': copyAnswer,
  'agent.forget': forget,
} satisfies Partial<Record<ActionId, Act>>;

export const agentSubmissions: Record<string, Submission> = {
  'agent.start': async (deck, sessionId, answers) => {
    const query = textAnswer(answers, 'query');
    const cycles = textAnswer(answers, 'cycles');
    if (query === '') throw new Failure('invalid_value', 'There is no question.');
    if (cycles !== '' && !(/^\d+$/.test(cycles) && Number(cycles) >= 1 && Number(cycles) <= AGENT_CYCLES_MAX))
      throw new Failure('invalid_value', `The cycles must be a number from 1 to ${AGENT_CYCLES_MAX}.`);
    await startRun(deck, {
      query,
      mode: MODES.find((mode) => mode === answers['mode']) ?? 'research',
      ...(cycles !== '' && { maxCycles: Number(cycles) }),
      ...(sessionId !== '' && { sessionId }),
    });
    return undefined;
  },
  'agent.cancel': async (deck, run) => {
    await deck.client().agent.cancel(run);
    did(deck, `askd agent cancel ${run}`);
    await deck.loader.refresh('runs');
    say(deck, 'The run was stopped.');
    return undefined;
  },
  'agent.forget': async (deck, session) => {
    await deck.client().agent.forget(session);
    await deck.loader.refresh('runs');
    say(deck, 'The conversation is cleared.');
    return undefined;
  },
  /** In the browser if possible, and always with the cited passages. */
  'agent.source': async (deck, _about, answers) => {
    const done = doneOf(deck);
    const source = done?.sources.find((each) => labelOf(each) === answers['source']);
    if (!done || !source) return undefined;
    const isWeb = /^https?:/.test(source.url);
    const isOpened = isWeb && (await deck.openUrl(source.url));
    const quotes = done.citations.filter(({ n }) => n === source.n);
    return {
      kind: 'pages',
      title: labelOf(source),
      offset: 0,
      url: source.url,
      text: [
        placeOf(source),
        ...(isOpened ? ['Opened in the browser.'] : []),
        '',
        ...quotes.flatMap(({ quote: words, page }) => [
          `"${words}"${page === undefined ? '' : ` (page ${page})`}`,
          '',
        ]),
      ],
    };
  },
};
