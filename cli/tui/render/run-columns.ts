import type { AgentRun } from '../../../src/api/tasks/agent.ts';
import { truncate } from '../../output/display-width.ts';
import { BESIDE_FROM } from './layout.ts';
import { beside, block, fit, line, span, type Line, type Size, type Span } from './lines.ts';
import { renderRun, scrollRun, spinner } from './run-lines.ts';
import { runState } from './run-state.ts';
import { runsShownWith } from '../state/side-by-side.ts';
import type { State } from '../state/state.ts';
import type { Theme } from './theme.ts';

const COLUMNS_MAX = 3;
const COLUMN_WIDTH_MIN = 38;
const DIVIDER_WIDTH = 3;

/** The run alone or, if it is one of several, as many side by side as fit, and a row of tabs for all. */
export function renderRuns(state: State, run: AgentRun | undefined, size: Size, theme: Theme): Line[] {
  if (run === undefined) return [];
  const runs = runsShownWith(state, run);
  if (runs.length < 2) return renderRun(state, run, size, theme);
  if (theme.isReader)
    return [...spokenTabs(runs, run, theme), ...renderRun(state, run, size, theme)].slice(0, size.height);
  const { tabs, columns, widths, height } = arrange(runs, run, size);
  const blocks = columns.map((each, index) => {
    const of = { width: widths[index] ?? 0, height };
    const place = { isBeside: columns.length > 1, hasFocus: each.id === run.id };
    return block(renderRun(state, each, of, theme, place), of);
  });
  const [first = [], ...others] = blocks;
  const joined = others.reduce((left, right) => beside(left, right, theme.glyphs.divider), first);
  return [...(tabs ? [tabLine(state, runs, run, size.width, theme)] : []), ...joined];
}

export function scrollRuns(state: State, run: AgentRun | undefined, size: Size, theme: Theme) {
  if (run === undefined) return { at: 0, last: 0 };
  const runs = runsShownWith(state, run);
  if (runs.length < 2 || theme.isReader) return scrollRun(state, run, size, theme);
  const { columns, widths, height } = arrange(runs, run, size);
  const width = widths[columns.indexOf(run)] ?? 0;
  return scrollRun(state, run, { width, height }, theme, { isBeside: columns.length > 1, hasFocus: true });
}

/** The focused one and its neighbours; the columns share the width to the last cell. */
function arrange(runs: readonly AgentRun[], focused: AgentRun, { width, height }: Size) {
  const room = Math.floor((width + DIVIDER_WIDTH) / (COLUMN_WIDTH_MIN + DIVIDER_WIDTH));
  const count = width < BESIDE_FROM ? 1 : Math.min(runs.length, COLUMNS_MAX, room);
  const at = runs.findIndex(({ id }) => id === focused.id);
  const first = Math.max(0, Math.min(at - Math.floor(count / 2), runs.length - count));
  const cells = width - DIVIDER_WIDTH * (count - 1);
  const widths = Array.from(
    { length: count },
    (_, index) => Math.floor(cells / count) + (index < cells % count ? 1 : 0),
  );
  const tabs = count < runs.length;
  return { tabs, columns: runs.slice(first, first + count), widths, height: height - (tabs ? 1 : 0) };
}

/** ` 1 ⠋ When was …[2 ✓ Which river …]3 ∅ Who won?` */
function tabLine(
  { now }: State,
  runs: readonly AgentRun[],
  focused: AgentRun,
  width: number,
  { glyphs }: Theme,
): Line {
  const cell = Math.floor(width / runs.length) - 2;
  const parts = runs.flatMap((run, index): Span[] => {
    const hasFocus = run.id === focused.id;
    const { mark, color } = runState(run, glyphs);
    const number = `${index + 1} `;
    const state = run.status === 'running' ? spinner(now, glyphs) : mark;
    const words = fit(
      [span(truncate(span(run.query).text, cell - number.length - 2))],
      cell - number.length - 2,
    );
    const style = hasFocus ? { bold: true } : {};
    return [
      span(hasFocus ? '[' : ' ', style),
      span(number, style),
      span(`${state} `, { color }),
      ...words.map((each) => ({ ...each, ...style })),
      span(hasFocus ? ']' : ' ', style),
    ];
  });
  return fit(parts, width);
}

function spokenTabs(runs: readonly AgentRun[], focused: AgentRun, { glyphs }: Theme): Line[] {
  const others = runs.filter(({ id }) => id !== focused.id);
  const at = runs.findIndex(({ id }) => id === focused.id);
  return [
    line(`Run ${at + 1} of ${runs.length} side by side.`),
    ...others.map((run) => line(`Beside it: ${runState(run, glyphs).word}, ${run.query}`)),
  ];
}
