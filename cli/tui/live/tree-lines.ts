import { addressOf, placeOf } from '../../agent/answer/places.ts';
import { formatCount } from '../../output/format.ts';
import { linked } from '../../output/links.ts';
import { displayWidth, truncate } from '../../output/display-width.ts';
import { line, paragraph, span, widthOf, type Line, type Size, type Span } from '../render/lines.ts';
import type { Glyphs } from '../render/theme.ts';
import type { Branch, FactLeaf, Leaf, Phase, RunTree, ToolLeaf } from './tree.ts';

export type Look = {
  glyphs: Glyphs;
  links: boolean;
  /** A running time would be read aloud every second. */
  isReader?: boolean;
};
type Moment = { now: number; isOver: boolean };

const PHASES: readonly Phase[] = ['plan', 'search', 'read', 'think', 'write'];
const FOUND_SHOWN = 3;
const DRAFT_LINES = 4;
const SPINNER_MS = 120;
const RESULT_SHARE = 0.5;
/** With fewer cells, a title or a quote says nothing. */
const WORDS_MIN = 8;

/** A branch with all its leaves: any height, and never wider than this. */
export function branchLines(branch: Branch, moment: Moment, width: number, look: Look): Line[] {
  const { glyphs } = look;
  const mark: Span = moment.isOver ? span(glyphs.step, { dim: true }) : spinner(moment.now, glyphs);
  const head = paragraph(branch.text, Math.max(1, width - 2)).map((each, index) => [
    ...(index === 0 ? [mark, span(' ')] : [span('  ')]),
    ...each,
  ]);
  const leaves = branch.leaves.flatMap((leaf, index) => {
    const isLast = index === branch.leaves.length - 1;
    const fork = span(`${isLast ? glyphs.corner : glyphs.fork} `, { dim: true });
    const below = span(isLast ? '  ' : `${glyphs.divider} `, { dim: true });
    return leafLines(leaf, moment, width - 2, look).map((each, row): Line => [
      row === 0 ? fork : below,
      ...each,
    ]);
  });
  return [...(branch.text === '' ? [] : head), ...leaves].map((each) => clip(each, width));
}

function leafLines(leaf: Leaf, moment: Moment, width: number, look: Look): Line[] {
  return leaf.kind === 'tool' ? toolLines(leaf, moment, width, look) : [factLine(leaf, width, look)];
}

function toolLines(tool: ToolLeaf, { now, isOver }: Moment, width: number, look: Look): Line[] {
  const { glyphs } = look;
  const isRunning = tool.status === 'start' && !isOver;
  const mark = isRunning ? spinner(now, glyphs) : endMark(tool, glyphs);
  const name = span(` ${tool.name} `, { bold: true });
  const result = isRunning ? runningOf(tool, now, look) : resultOf(tool);
  const room = Math.max(0, width - 1 - widthOf([name]) - 2);
  const end = resultText(result, Math.floor(room * RESULT_SHARE));
  const about = truncate(span(tool.about).text, Math.max(1, room - displayWidth(end)));
  const more = tool.found.length - FOUND_SHOWN;
  return [
    line(mark, name, about, span(`  ${end}`, { dim: true })),
    ...tool.found.slice(0, FOUND_SHOWN).map((found) => foundLine(found, width, look)),
    ...(more > 0 ? [line(span(`    ${more} more`, { dim: true }))] : []),
  ];
}

function foundLine({ url, title }: ToolLeaf['found'][number], width: number, look: Look): Line {
  const place = placeSpan({ url }, width - 4, look);
  if (title === url || title === place.text) return [span('    '), place];
  const room = width - 6 - displayWidth(place.text);
  return [span('    '), ...(room < WORDS_MIN ? [] : [span(`${truncate(span(title).text, room)}  `)]), place];
}

function factLine({ fact: { quote, source, ...where } }: FactLeaf, width: number, look: Look): Line {
  const mark = span(`${look.glyphs.on} `, { color: 'green' });
  const place = placeSpan({ ...where, url: source.url }, width - 2, look);
  const room = width - 6 - displayWidth(place.text);
  const words = truncate(span(quote.trim()).text, Math.max(1, room));
  return [mark, ...(room < WORDS_MIN ? [] : [span(`"${words}"  `)]), place];
}

type At = { url: string; line?: number | undefined; page?: number | undefined };

/** The end of a path says most: the file and its line. */
function placeSpan(place: At, width: number, { links }: Look): Span & { url?: string } {
  let text = placeOf(place);
  while (displayWidth(text) > Math.max(1, width)) text = `…${text.slice(2)}`;
  return { ...span(text, { dim: true }), ...(links && { url: addressOf(place) }) };
}

function endMark({ status }: ToolLeaf, glyphs: Glyphs): Span {
  if (status === 'ok') return span(glyphs.on, { color: 'green' });
  const isEmpty = status === 'empty' || status === 'cancelled' || status === 'start';
  return isEmpty ? span(glyphs.none, { color: 'yellow' }) : span(glyphs.off, { color: 'red' });
}

const WORDS: Partial<Record<ToolLeaf['status'], string>> = { empty: 'nothing found', start: 'stopped' };

type Result = { words: string; time: string };

function runningOf({ startedAt }: ToolLeaf, now: number, { isReader }: Look): Result {
  return isReader ? { words: 'working', time: '' } : { words: '', time: seconds(now - startedAt) };
}

function resultOf({ status, result, ms }: ToolLeaf): Result {
  const words = result ?? WORDS[status] ?? status.replace('_', ' ');
  const time = ms === undefined ? '' : ms < 1000 ? `${ms} ms` : seconds(ms);
  return { words, time };
}

/** If there is little room, only the time. */
function resultText({ words, time }: Result, width: number): string {
  const plain = span(words).text;
  if (time === '' || plain === '') return truncate(plain + time, width);
  const room = width - displayWidth(time) - 2;
  if (room < Math.min(WORDS_MIN, displayWidth(plain))) return truncate(time, width);
  return `${truncate(plain, room)}  ${time}`;
}

/** What is planned, done and in progress, and for how long. */
export function statusLine({ phases, facts, startedAt }: RunTree, now: number, { glyphs }: Look): Line {
  const current = phases.at(-1);
  const plan = PHASES.flatMap((phase, index): Span[] => {
    const isSkipped = current !== undefined && index < PHASES.indexOf(current) && !phases.includes(phase);
    if (isSkipped) return [];
    if (phase === current) return [spinner(now, glyphs), span(` ${phase}  `, { bold: true })];
    const isDone = phases.includes(phase);
    return [span(`${isDone ? glyphs.on : glyphs.step} ${phase}  `, { dim: true })];
  });
  return [...plan, span([formatCount(facts, 'fact'), seconds(now - startedAt)].join('  '), { dim: true })];
}

/** The end of the answer as it is written. */
export function draftLines({ draft }: RunTree, width: number, { glyphs }: Look): Line[] {
  if (draft.trim() === '') return [];
  const lines = paragraph(`${draft.trimEnd()}${glyphs.cursor}`, Math.max(1, width - 2));
  return lines
    .slice(-DRAFT_LINES)
    .map((each) => [span('  '), ...each.map((part) => ({ ...part, dim: true }))]);
}

/** The part of a run that still changes, in no more than this height. */
export function runningLines(tree: RunTree, now: number, { width, height }: Size, look: Look): Line[] {
  const last = tree.branches.at(-1);
  const branch = last === undefined ? [] : branchLines(last, { now, isOver: false }, width, look);
  const tail = [...draftLines(tree, width, look), statusLine(tree, now, look)];
  return within([...branch, ...tail], height, look).map((each) => clip(each, width));
}

/** The first line says what it is about; the last ones are the news. */
export function within(lines: readonly Line[], height: number, { glyphs }: Look): readonly Line[] {
  if (lines.length <= height) return lines;
  if (height < 3) return lines.slice(lines.length - height);
  const [first = []] = lines;
  return [first, line(span(`  ${glyphs.more}`, { dim: true })), ...lines.slice(lines.length - height + 2)];
}

/** At most this wide, and nothing added. */
export function clip(spans: Line, width: number): Line {
  const kept: Span[] = [];
  let left = width;
  for (const each of spans) {
    if (left <= 0) break;
    const text = truncate(each.text, left);
    kept.push({ ...each, text });
    left -= displayWidth(text);
  }
  return kept;
}

export function spinner(now: number, { spinner: marks }: Glyphs): Span {
  return span(marks[Math.floor(now / SPINNER_MS) % marks.length] ?? '', { color: 'yellow' });
}

export function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}

const CODES = { green: 32, yellow: 33, red: 31, cyan: 36, magenta: 35, blue: 34, gray: 90 } as const;

/** As the terminal wants it. */
export function toTerminal(spans: readonly (Span & { url?: string })[], hasColor: boolean): string {
  return spans
    .map(({ text, bold, dim, color, url }) => {
      const codes = [bold && 1, dim && 2, color && CODES[color]].filter((code) => typeof code === 'number');
      const shown = url === undefined ? text : linked(text, url);
      return hasColor && codes.length > 0 ? `\u001b[${codes.join(';')}m${shown}\u001b[0m` : shown;
    })
    .join('')
    .trimEnd();
}
