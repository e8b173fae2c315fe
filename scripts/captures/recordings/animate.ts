import { CELL, escape, PADDING, rowSvg, TITLE_HEIGHT, type Run } from '../svg.ts';
import { fromAsciicast } from './cast.ts';
import { framesOf, type Frame } from './frames.ts';

/** The colours of a light screen, by those of a dark one. */
const LIGHT: Readonly<Record<string, string>> = {
  ...{ '#14161b': '#fafafa', '#d7dae0': '#2b2f36', '#3b4048': '#c9cdd4', '#5c6370': '#8a919c' },
  ...{ '#e06c75': '#c0303c', '#98c379': '#3f7d20', '#e5c07b': '#8f6400', '#61afef': '#1767b0' },
  ...{ '#c678dd': '#8f34a8', '#56b6c2': '#0f7683', '#ffffff': '#000000', '#ff7b86': '#c0303c' },
  ...{
    '#b5e890': '#3f7d20',
    '#ffd68a': '#8f6400',
    '#7cc4ff': '#1767b0',
    '#dd94f2': '#8f34a8',
    '#6fd6e3': '#0f7683',
  },
};

type Row = { runs: readonly Run[]; key: string; at: number; from: number; to: number };

/** The animation of an asciicast. */
export async function animate(asciicast: string): Promise<string> {
  const { title, ...cast } = fromAsciicast(asciicast);
  return toAnimation(await framesOf(cast), { columns: cast.columns, title });
}

/**
 * A recording as an SVG that loops, in the colours that the reader's system prefers. Each row is drawn once and shown
 * for as long as it stays the same. Readers who prefer reduced motion see the last screen.
 */
function toAnimation(
  frames: readonly Frame[],
  { columns, title }: { columns: number; title: string },
): string {
  const height = Math.max(...frames.map(({ rows }) => rows.length));
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  const rows = spans(frames, height);
  const size = {
    width: Math.round(columns * CELL.width + 2 * PADDING),
    height: height * CELL.height + 2 * PADDING + TITLE_HEIGHT,
  };
  const steps = new Map<string, string>();
  const drawn = rows.map((row) => {
    const content = rowSvg(row.runs, row.at).join('');
    return `<g class="${classOf(row, total, steps)}">${content}</g>`;
  });
  return withClasses(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
      `<title>${escape(title)}</title>`,
      `<style>@STYLE@</style>`,
      `<rect width="100%" height="100%" rx="8" fill="#14161b"/>`,
      `<g font-family="ui-sans-serif, system-ui, sans-serif" font-size="13" fill="#d7dae0" opacity="0.6">`,
      `<text x="50%" y="20" text-anchor="middle">${escape(title)}</text></g>`,
      `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
      ...drawn,
      '</g>',
      '</svg>',
      '',
    ].join('\n'),
    [...steps.values()].join(''),
  );
}

/** Each content of each row, from the frame in which it appears to the one in which it disappears. */
function spans(frames: readonly Frame[], height: number): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < height; at++) {
    let time = 0;
    let current: Row | undefined;
    for (const { rows: screen, seconds } of frames) {
      const runs = screen[at] ?? [];
      const key = JSON.stringify(runs);
      if (current?.key !== key) rows.push((current = { runs, at, from: time, to: time, key }));
      time += seconds;
      current.to = time;
    }
  }
  return rows.filter(({ runs }) =>
    runs.some(({ text, ground }) => text.trim() !== '' || ground !== undefined),
  );
}

/** Rows that appear and disappear together share their keyframes. */
function classOf({ from, to }: Row, total: number, steps: Map<string, string>): string {
  const percent = (seconds: number) => `${((100 * seconds) / total).toFixed(2)}%`;
  const isLast = to >= total;
  const name = `t${Math.round(from * 1000)}-${isLast ? 'end' : Math.round(to * 1000)}`;
  if (from === 0 && isLast) return 'end';
  const before = from === 0 ? '' : `0%{visibility:hidden}`;
  const after = isLast ? '' : `${percent(to)}{visibility:hidden}`;
  steps.set(
    name,
    `@keyframes ${name}{${before}${percent(from)}{visibility:visible}${after}}.${name}{animation:${name} ${total.toFixed(2)}s step-end infinite}`,
  );
  return isLast ? `${name} end` : `${name} past`;
}

/** Colours become classes, which have one rule for dark and one for light mode. */
function withClasses(svg: string, steps: string): string {
  const colors = [...new Set(Array.from(svg.matchAll(/fill="(#[0-9a-f]{6})"/g), ([, color = '']) => color))];
  const rules = (of: (color: string) => string) =>
    colors.map((color, index) => `.c${index}{fill:${of(color)}}`).join('');
  const style = [
    steps,
    rules((color) => color),
    `@media (prefers-color-scheme:light){${rules((color) => LIGHT[color] ?? color)}}`,
    '@media (prefers-reduced-motion:reduce){.end,.past{animation:none}.past{visibility:hidden}}',
  ].join('');
  return svg
    .replaceAll(/fill="(#[0-9a-f]{6})"/g, (_, color: string) => `class="c${colors.indexOf(color)}"`)
    .replace('@STYLE@', () => style);
}
