import type { AgentRun } from '../../../src/api/tasks/agent.ts';
import { placeOf } from '../../agent/answer/places.ts';
import { formatCount, formatDuration } from '../../output/format.ts';
import { branchLines } from '../live/tree-lines.ts';
import { heading, line, paragraph, span, type Line, type Size, type Span } from './lines.ts';
import { runState } from './run-state.ts';
import type { State } from '../state/state.ts';
import { END } from '../screen.ts';
import { progressBar, type Glyphs, type Theme } from './theme.ts';
import { answerOf, type Done, type Watched } from '../state/watched.ts';

const QUESTION_LINES_MAX = 2;
/** With less room, only the state of a run and its time are shown. */
const FACTS_FROM = 64;

/** Where a run is shown: side by side, all heads have the same height, and one run has focus. */
export type Place = { isBeside: boolean; hasFocus: boolean };
const ALONE: Place = { isBeside: false, hasFocus: true };

/** A run so far: its latest steps while it is running, its answer when it is done. */
export function renderRun(state: State, run: AgentRun, size: Size, theme: Theme, place = ALONE): Line[] {
  const head = headOf(state, run, size.width, theme, place);
  const body = bodyOf(state, run, size.width, theme);
  const room = size.height - head.length;
  const { at } = scrollIn(body, room, run, place.hasFocus ? state.views.agent.detail : undefined);
  return [...head, ...body.lines.slice(at, at + room)];
}

export function scrollRun(state: State, run: AgentRun, size: Size, theme: Theme, place = ALONE) {
  const room = size.height - headOf(state, run, size.width, theme, place).length;
  return scrollIn(bodyOf(state, run, size.width, theme), room, run, state.views.agent.detail);
}

function scrollIn({ lines, answerAt }: Body, room: number, { status }: AgentRun, detail: string | undefined) {
  const last = Math.max(0, lines.length - room);
  const begin = status === 'running' ? last : Math.min(answerAt, last);
  if (detail === END) return { at: last, last };
  return { at: detail ? Math.min(last, Number(detail)) : begin, last };
}

/** The part that does not scroll. */
function headOf(state: State, run: AgentRun, width: number, theme: Theme, place: Place): Line[] {
  if (!place.isBeside)
    return [
      ...paragraph(run.query, width, { bold: true }).slice(0, QUESTION_LINES_MAX),
      factsLine(state, run, width, theme),
    ];
  const mark = place.hasFocus ? `${theme.glyphs.selected} ` : '  ';
  const question = paragraph(run.query, Math.max(1, width - 2), place.hasFocus ? { bold: true } : {});
  const lines = Array.from({ length: QUESTION_LINES_MAX }, (_, index): Line => [
    span(index === 0 ? mark : '  ', { bold: true }),
    ...(question[index] ?? []),
  ]);
  return [...lines, factsLine(state, run, width, theme)];
}

function factsLine({ watched, now }: State, run: AgentRun, width: number, theme: Theme): Line {
  const { glyphs, isReader } = theme;
  const known = watched[run.id];
  const { mark, word, color } = runState(run, glyphs);
  const state = run.status === 'running' ? spinner(now, glyphs) : mark;
  const isNarrow = width < FACTS_FROM;
  const end = known?.tree.end;
  const more =
    end?.type === 'done'
      ? endFacts(end, isNarrow)
      : run.status === 'running'
        ? [
            progress(run, known, glyphs, isReader || isNarrow),
            // It would be read aloud every second.
            ...(isReader ? [] : [formatDuration(now - Date.parse(run.started_at))]),
          ]
        : [];
  const facts = [...(isNarrow ? [] : [run.mode]), ...more];
  return line(span(`${state} ${word}`, { color }), ...facts.map((each) => `  ${each}`));
}

function progress(
  { max_cycles: max }: AgentRun,
  watched: Watched | undefined,
  glyphs: Glyphs,
  isInWords: boolean,
): string {
  const cycle = Math.min(max, Math.max(1, watched?.cycle ?? 1));
  const bar = isInWords ? '' : ` ${progressBar(cycle / max, Math.min(10, max), glyphs)}`;
  return `cycle ${cycle} of ${max}${bar}`;
}

function endFacts({ usage }: Done, isNarrow: boolean): string[] {
  const time = `${(usage.wall_ms / 1000).toFixed(1)} s`;
  if (isNarrow) return [formatCount(usage.cycles, 'cycle'), time];
  return [
    formatCount(usage.cycles, 'cycle'),
    formatCount(usage.total_tokens, 'token'),
    ...(usage.searches > 0 ? [formatCount(usage.searches, 'search', 'searches')] : []),
    ...(usage.fetches > 0 ? [formatCount(usage.fetches, 'page')] : []),
    time,
  ];
}

type Body = { lines: readonly Line[]; answerAt: number };

function bodyOf({ watched, now }: State, run: AgentRun, width: number, theme: Theme): Body {
  const known = watched[run.id];
  if (known === undefined) return { lines: [line(span('…', { dim: true }))], answerAt: 0 };
  const { branches, end } = known.tree;
  const isEnded = end !== undefined || known.broke !== undefined || run.status !== 'running';
  const steps = branches.flatMap((branch, index) => {
    const moment = { now, isOver: isEnded || index < branches.length - 1 };
    return branchLines(branch, moment, width, { ...theme, links: false });
  });
  return { lines: [...steps, ...answerLines(known, width, theme)], answerAt: steps.length };
}

export function spinner(now: number, { spinner: marks }: Glyphs): string {
  return marks[Math.floor(now / 1000) % marks.length] ?? '';
}

function answerLines(watched: Watched, width: number, { glyphs, isReader }: Theme): Line[] {
  const { broke, tree } = watched;
  const { end } = tree;
  const text = answerOf(watched);
  if (end?.type === 'error') return [[], ...paragraph(`error: ${end.message}`, width, { color: 'red' })];
  if (broke !== undefined && end === undefined)
    return [[], ...paragraph(`The stream was interrupted: ${broke}`, width, { color: 'yellow' })];
  // A screen reader would start over with every word.
  if (text === '' || (isReader && end === undefined)) return [];
  const answer = paragraph(text, width);
  const cursor: Span[] = end === undefined ? [span(glyphs.cursor)] : [];
  answer.push([...(answer.pop() ?? []), ...cursor]);
  return [[], heading('Answer'), ...answer, ...(end?.type === 'done' ? sourceLines(end, width) : [])];
}

function sourceLines({ sources }: Done, width: number): Line[] {
  if (sources.length === 0) return [];
  const digits = String(Math.max(...sources.map(({ n }) => n))).length + 2;
  const rows = sources.flatMap(({ n, title, url }): Line[] => {
    const number = span(`[${n}]`.padEnd(digits + 1), { color: 'cyan' });
    const place = placeOf({ url });
    const whole = line(number, title, span(`  ${place}`, { dim: true }));
    if (title.length + place.length + digits + 3 <= width) return [whole];
    return [line(number, title), line(' '.repeat(digits + 1), span(place, { dim: true }))];
  });
  return [[], heading('Sources'), ...rows];
}
