import { pathToFileURL } from 'node:url';
import { toHtml } from '../../agent/report/html.ts';
import { toMarkdown } from '../../agent/report/markdown.ts';
import { formatCount } from '../../output/format.ts';
import { openDialog, say, type Act, type Deck, type Submission } from '../deck.ts';
import type { ActionId } from '../keyboard/keymap.ts';
import { runsShownWith, withToggled } from '../state/side-by-side.ts';
import { runOf, startRun } from './agent.ts';
import { switchPane } from './navigation.ts';

const FORMATS = ['html', 'markdown'] as const;

const show = ({ store }: Deck, sideBySide: readonly string[]) =>
  store.dispatch({ type: 'set', change: { sideBySide } });

/** Each run has its own scroll position. */
function focus(deck: Deck, key: string): void {
  const run = runOf(deck);
  const shown = run ? runsShownWith(deck.store.current(), run) : [];
  if (run === undefined || shown.length < 2) return switchPane(deck);
  const step = key === 'tab' ? 1 : -1;
  const next = shown[(shown.indexOf(run) + step + shown.length) % shown.length];
  if (next) deck.store.dispatch({ type: 'view', screen: 'agent', view: { selected: next.id, detail: '' } });
}

/** The next run takes the place of one that is removed. */
function putBeside(deck: Deck): void {
  const run = runOf(deck);
  if (!run) return;
  const { sideBySide, views } = deck.store.current();
  const shown = withToggled(sideBySide, run);
  const isAdded = shown.includes(run.id);
  const next = shown[Math.min(sideBySide.indexOf(run.id), shown.length - 1)];
  show(deck, shown);
  if (!isAdded && next !== undefined && views.agent.pane === 'detail')
    deck.store.dispatch({ type: 'view', screen: 'agent', view: { selected: next, detail: '' } });
  say(deck, `${formatCount(shown.length, 'run')} side by side.`);
}

/** The new run takes the place of the old one. A follow-up stays in its conversation. */
async function retry(deck: Deck): Promise<void> {
  const run = runOf(deck);
  if (!run) return;
  if (run.status === 'running') return say(deck, 'That run is still working. c stops it.', 'bad');
  const { data, sideBySide: before } = deck.store.current();
  const { query, mode, model, session_id: sessionId, max_cycles: maxCycles } = run;
  const isFollowUp = data.runs?.some(
    (each) => each.session_id === sessionId && each.started_at < run.started_at,
  );
  const request = { query, mode, model, maxCycles, ...(isFollowUp && { sessionId }) };
  const begun = await startRun(deck, request);
  if (before.includes(run.id))
    show(
      deck,
      before.map((id) => (id === run.id ? begun : id)),
    );
}

function report(deck: Deck): void {
  const run = runOf(deck);
  if (!run) return;
  if (run.status === 'running') return say(deck, 'A report can be written once the run has ended.', 'bad');
  openDialog(deck, {
    kind: 'form',
    title: `Report: ${run.query}`,
    focus: 0,
    submit: 'agent.report',
    about: run.id,
    fields: [
      {
        ...{ kind: 'choice', name: 'format', label: 'format', value: 'html', choices: FORMATS },
        hint: 'arrows choose; HTML is opened in a browser if there is one',
      },
    ],
  });
}

export const runs = {
  'agent.focus': focus,
  'agent.beside': putBeside,
  'agent.retry': retry,
  'agent.report': report,
} satisfies Partial<Record<ActionId, Act>>;

export const runSubmissions: Record<string, Submission> = {
  'agent.report': async (deck, id, answers) => {
    const run = await deck.client().agent.find(id);
    const markdown = toMarkdown(run);
    const isHtml = answers['format'] === 'html';
    const text = isHtml ? toHtml(run) : markdown;
    const path = await deck.save('report', isHtml ? 'html' : 'md', text.trimEnd().split('\n'));
    const { href } = pathToFileURL(path);
    const isOpened = isHtml && (await deck.openUrl(href));
    const where = `Saved in ${path}${isOpened ? ', and opened in the browser' : ''}.`;
    return {
      kind: 'pages',
      title: 'Report',
      offset: 0,
      url: href,
      text: [where, '', ...markdown.trimEnd().split('\n')],
    };
  },
};
