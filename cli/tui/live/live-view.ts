import type { AgentEvent } from '../../../src/api/tasks/agent.ts';
import { formatCount } from '../../output/format.ts';
import { columnsOf, type TerminalOutput } from '../../output/output.ts';
import { truncate } from '../../output/display-width.ts';
import { line, span, type Line, type Size, type Span } from '../render/lines.ts';
import { createRegion } from './region.ts';
import { branchLines, clip, runningLines, seconds, spinner, toTerminal, type Look } from './tree-lines.ts';
import { growTree, plantTree, type RunTree } from './tree.ts';

const EVERY_MS = 100;
const ROWS_UNKNOWN = 24;

export type LiveOptions = {
  stream: TerminalOutput & { rows?: number };
  look: Look;
  hasColor: boolean;
  /** How many runs there will be. */
  total: number;
};

export type LiveView = ReturnType<typeof createLiveView>;

/** Runs on a terminal while they are running: a tree for each, of which only the changing part is repainted. */
export function createLiveView({ stream, look, hasColor, total }: LiveOptions) {
  const trees = new Map<number, RunTree>();
  /** How many branches of a run are already above the region. */
  const shown = new Map<number, number>();
  const region = createRegion(stream, () => columnsOf(stream));
  const isSingle = total === 1;
  const width = () => Math.max(1, columnsOf(stream) - 1);

  function finishedLines(index: number, tree: RunTree): Line[] {
    const isOver = tree.end !== undefined;
    if (!isSingle && !isOver) return [];
    const from = shown.get(index) ?? 0;
    const to = isOver ? tree.branches.length : Math.max(0, tree.branches.length - 1);
    shown.set(index, to);
    if (isOver) trees.delete(index);
    const moment = { now: Date.now(), isOver: true };
    const branches = tree.branches
      .slice(from, to)
      .flatMap((each) => branchLines(each, moment, width(), look));
    return isSingle ? branches : [headLine(tree, moment.now, width(), look), ...branches];
  }

  function draw(): void {
    const finished = [...trees].flatMap(([index, tree]) => finishedLines(index, tree));
    const size = { width: width(), height: Math.max(1, (stream.rows || ROWS_UNKNOWN) - 1) };
    const live = liveLines([...trees.values()], { total, begun: begun() }, size, look);
    const text = (lines: readonly Line[]) => lines.map((each) => toTerminal(each, hasColor));
    region.update(text(finished), text(live));
  }

  let opened = 0;
  const begun = () => opened;
  const timer = setInterval(draw, EVERY_MS);
  stream.on('resize', draw);

  return {
    open(question: string): (event: AgentEvent) => void {
      const index = opened++;
      trees.set(index, plantTree(question, Date.now()));
      return (event) => {
        const tree = trees.get(index);
        if (tree === undefined) return;
        trees.set(index, growTree(tree, event, Date.now()));
        if (event.type !== 'token') draw();
      };
    },
    /** For output that others write to the same terminal. */
    around(write: () => void): void {
      draw();
      region.clear();
      write();
    },
    /** Runs that have not ended were left. */
    close(): void {
      clearInterval(timer);
      stream.off('resize', draw);
      for (const [index, tree] of trees) trees.set(index, { ...tree, end: { type: 'left' } });
      draw();
    },
  };
}

/** The runs in progress, each in its share of the height. */
export function liveLines(
  trees: readonly RunTree[],
  { total, begun }: { total: number; begun: number },
  { width, height }: Size,
  look: Look,
  now = Date.now(),
): Line[] {
  const [only] = trees;
  if (total === 1) return only === undefined ? [] : runningLines(only, now, { width, height }, look);
  const waiting = total - begun;
  const foot =
    waiting > 0 ? [line(span(`${formatCount(waiting, 'question')} left to begin`, { dim: true }))] : [];
  const room = height - foot.length;
  // A head and a line below it, or if there is no room, only the heads.
  const share = Math.floor(room / Math.max(1, trees.length));
  const lines = trees.flatMap((tree) => [
    headLine(tree, now, width, look),
    ...(share < 2
      ? []
      : runningLines(tree, now, { width: width - 2, height: share - 1 }, look).map(indented)),
  ]);
  return [...lines.slice(0, Math.max(0, room)), ...foot].slice(0, height).map((each) => clip(each, width));
}

const indented = (each: Line): Line => [span('  '), ...each];

function headLine(tree: RunTree, now: number, width: number, { glyphs }: Look): Line {
  const { mark, words } = stateOf(tree, now, glyphs);
  const question = truncate(span(tree.question).text, Math.max(1, width - words.length - 4));
  return clip([mark, span(` ${question}`, { bold: true }), span(`  ${words}`, { dim: true })], width);
}

function stateOf(
  { end, startedAt }: RunTree,
  now: number,
  glyphs: Look['glyphs'],
): { mark: Span; words: string } {
  if (end === undefined) return { mark: spinner(now, glyphs), words: seconds(now - startedAt) };
  if (end.type === 'error') return { mark: span(glyphs.off, { color: 'red' }), words: 'failed' };
  if (end.type === 'left') return { mark: span(glyphs.none, { color: 'yellow' }), words: 'stopped' };
  const words = `${end.stopped.replace('_', ' ')}  ${seconds(end.usage.wall_ms)}`;
  return end.stopped === 'answered'
    ? { mark: span(glyphs.on, { color: 'green' }), words }
    : { mark: span(glyphs.none, { color: 'yellow' }), words };
}
