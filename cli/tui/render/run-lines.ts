import type { AgentRun } from '../../../src/api/tasks/agent.ts';
import { formatCount, formatDuration } from '../../output/format.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { displayWidth, truncate } from '../../output/table.ts';
import { heading, line, paragraph, span, type Line, type Size, type Span } from './lines.ts';
import { runState } from './run-state.ts';
import type { State } from '../state/state.ts';
import { END } from '../screen.ts';
import { progressBar, type Glyphs, type Theme } from './theme.ts';
import type { Step, Done, Watched } from '../state/watched.ts';

const QUESTION_LINES_MAX = 2;
const INDENT = '  ';
const GAP = '  ';

/** A run so far: its latest steps while it works, its answer when it is done. */
export function renderRun(state: State, run: AgentRun | undefined, size: Size, theme: Theme): Line[] {
  if (run === undefined) return [];
  const head = headOf(state, run, size.width, theme);
  const body = bodyOf(state, run, size.width, theme);
  const room = size.height - head.length;
  const { at } = scrollIn(body, room, run, state);
  return [...head, ...body.lines.slice(at, at + room)];
}

export function scrollOf(state: State, run: AgentRun | undefined, size: Size, theme: Theme) {
  if (run === undefined) return { at: 0, last: 0 };
  const room = size.height - headOf(state, run, size.width, theme).length;
  return scrollIn(bodyOf(state, run, size.width, theme), room, run, state);
}

function scrollIn({ lines, answerAt }: Body, room: number, { status }: AgentRun, { views }: State) {
  const last = Math.max(0, lines.length - room);
  const begin = status === 'running' ? last : Math.min(answerAt, last);
  const { detail } = views.agent;
  if (detail === END) return { at: last, last };
  return { at: detail ? Math.min(last, Number(detail)) : begin, last };
}

/** The part that does not scroll. */
function headOf({ watched, now }: State, run: AgentRun, width: number, { glyphs, isReader }: Theme): Line[] {
  const known = watched[run.id];
  const { mark, word, color } = runState(run, glyphs);
  const state = run.status === 'running' ? spinner(now, glyphs) : mark;
  const end = known?.end;
  const more =
    end?.type === 'done'
      ? endFacts(end)
      : run.status === 'running'
        ? [
            ...progress(run, known, glyphs, isReader),
            // It would be read aloud every second.
            ...(isReader ? [] : [formatDuration(now - Date.parse(run.started_at))]),
          ]
        : [];
  const facts = line(span(`${state} ${word}`, { color }), ...[run.mode, ...more].map((each) => `  ${each}`));
  const question = paragraph(run.query, width, { bold: true });
  return [...question.slice(0, QUESTION_LINES_MAX), facts];
}

function progress(
  { max_cycles: max }: AgentRun,
  watched: Watched | undefined,
  glyphs: Glyphs,
  isReader: boolean,
): string[] {
  const cycle = Math.min(max, Math.max(1, watched?.cycle ?? 1));
  const bar = isReader ? '' : ` ${progressBar(cycle / max, Math.min(10, max), glyphs)}`;
  return [`cycle ${cycle} of ${max}${bar}`];
}

function endFacts({ usage }: Done): string[] {
  return [
    formatCount(usage.cycles, 'cycle'),
    formatCount(usage.total_tokens, 'token'),
    ...(usage.searches > 0 ? [formatCount(usage.searches, 'search', 'searches')] : []),
    ...(usage.fetches > 0 ? [formatCount(usage.fetches, 'page')] : []),
    `${(usage.wall_ms / 1000).toFixed(1)} s`,
  ];
}

type Body = { lines: readonly Line[]; answerAt: number };

function bodyOf({ watched, now }: State, run: AgentRun, width: number, theme: Theme): Body {
  const known = watched[run.id];
  if (known === undefined) return { lines: [line(span('…', { dim: true }))], answerAt: 0 };
  const steps = known.steps.flatMap((step) => stepLines(step, now, width, theme.glyphs));
  return { lines: [...steps, ...answerLines(known, width, theme)], answerAt: steps.length };
}

function stepLines(step: Step, now: number, width: number, glyphs: Glyphs): Line[] {
  if (step.kind === 'step')
    return paragraph(step.text, width - 2).map((each, index) => [
      { text: index === 0 ? `${glyphs.step} ` : INDENT, dim: true },
      ...each,
    ]);
  const { mark, word, color } = toolState(step, now, glyphs);
  const time = step.ms === undefined ? '' : ` ${step.ms} ms`;
  const name = ` ${step.name.padEnd(9)} `;
  const room = width - INDENT.length - 1 - name.length - GAP.length;
  // The result is never cut in favour of the step's subject.
  const result = truncate(sanitiseLine(step.result ?? word), Math.floor(room / 2)) + time;
  const about = truncate(sanitiseLine(step.about), room - displayWidth(result));
  return [
    line(INDENT, span(mark, { color }), span(name, { bold: true }), about, span(GAP + result, { dim: true })),
  ];
}

const TOOL_WORDS: Partial<Record<Extract<Step, { kind: 'tool' }>['status'], string>> = {
  start: 'working',
  empty: 'nothing found',
  rate_limited: 'rate limited',
};

function toolState({ status }: Extract<Step, { kind: 'tool' }>, now: number, glyphs: Glyphs) {
  const word = TOOL_WORDS[status] ?? status;
  if (status === 'start') return { mark: spinner(now, glyphs), word, color: 'yellow' } as const;
  if (status === 'ok') return { mark: glyphs.on, word, color: 'green' } as const;
  if (status === 'empty' || status === 'cancelled')
    return { mark: glyphs.none, word, color: 'yellow' } as const;
  return { mark: glyphs.off, word, color: 'red' } as const;
}

function spinner(now: number, { spinner: marks }: Glyphs): string {
  return marks[Math.floor(now / 1000) % marks.length] ?? '';
}

function answerLines({ text, end, broke }: Watched, width: number, { glyphs, isReader }: Theme): Line[] {
  if (end?.type === 'error') return [[], ...paragraph(`error: ${end.message}`, width, { color: 'red' })];
  if (broke !== undefined && end === undefined)
    return [[], ...paragraph(`The stream was interrupted: ${broke}`, width, { color: 'yellow' })];
  // A screen reader would start over with every word.
  if (text === '' || (isReader && end === undefined)) return [];
  const answer = paragraph(text, width);
  const cursor: Span[] = end === undefined ? [span(glyphs.cursor)] : [];
  answer.push([...(answer.pop() ?? []), ...cursor]);
  return [[], heading('Answer'), ...answer, ...(end ? sourceLines(end, width) : [])];
}

function sourceLines({ sources }: Done, width: number): Line[] {
  if (sources.length === 0) return [];
  const digits = String(Math.max(...sources.map(({ n }) => n))).length + 2;
  const rows = sources.flatMap(({ n, title, url }): Line[] => {
    const number = span(`[${n}]`.padEnd(digits + 1), { color: 'cyan' });
    const whole = line(number, title, span(`  ${url}`, { dim: true }));
    if (title.length + url.length + digits + 3 <= width) return [whole];
    return [line(number, title), line(' '.repeat(digits + 1), span(url, { dim: true }))];
  });
  return [[], heading('Sources'), ...rows];
}
