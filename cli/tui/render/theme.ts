/** What the terminal can display. */
export type Theme = { glyphs: Glyphs; isReader: boolean };

const UNICODE = {
  selected: '▸',
  folded: '▸',
  unfolded: '▾',
  live: '●',
  waiting: '◌',
  rule: '─',
  divider: '│',
  fork: '├',
  corner: '└',
  on: '✓',
  off: '✗',
  none: '∅',
  step: '·',
  spinner: ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'],
  cursor: '█',
  more: '…',
  bars: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  filled: '█',
  empty: '░',
  /** How graphs are drawn: with braille dots, or `bars`. */
  graph: 'dots',
  times: '×',
} as const;

const ASCII: Record<keyof typeof UNICODE, string | readonly string[]> = {
  selected: '>',
  folded: '+',
  unfolded: '-',
  live: '*',
  waiting: 'o',
  rule: '-',
  divider: '|',
  fork: '|',
  corner: '`',
  on: '+',
  off: 'x',
  none: '0',
  step: '-',
  spinner: ['|', '/', '-', '\\'],
  cursor: '_',
  more: '.',
  bars: ['.', ':', '-', '=', '+', '*', '%', '#'],
  filled: '#',
  empty: '.',
  graph: 'bars',
  times: 'x',
};

/** Words only, nothing that would be read aloud as the name of a character. */
export const SPOKEN: Glyphs = {
  ...(ASCII as Glyphs),
  ...{ selected: 'selected:', folded: '', unfolded: '', live: '', waiting: '', rule: '', divider: '' },
  ...{ fork: '', corner: '', on: '', off: '', none: '', step: '', spinner: [''], cursor: '' },
};

/** The old console of Windows has fonts with blocks but without braille. */
const WITHOUT_BRAILLE = { ...UNICODE, graph: 'bars', spinner: ASCII.spinner };

export type Glyphs = {
  [Name in keyof typeof UNICODE]: (typeof UNICODE)[Name] extends string ? string : readonly string[];
};

type Env = Readonly<Record<string, string | undefined>>;

/** Without UTF-8, plain ASCII. */
export function chooseGlyphs(env: Env, platform: NodeJS.Platform = process.platform): Glyphs {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  const isPlain =
    env['TERM'] === 'dumb' || env['TERM'] === 'linux' || (locale !== '' && !/utf-?8/i.test(locale));
  if (isPlain) return ASCII as Glyphs;
  return platform === 'win32' && !env['WT_SESSION'] ? (WITHOUT_BRAILLE as Glyphs) : UNICODE;
}

/** The latest values as a bar chart, scaled to the greatest. */
export function sparkline(values: readonly number[], width: number, { bars }: Glyphs): string {
  const shown = values.slice(-width);
  const greatest = Math.max(0, ...shown);
  const bar = (value: number) => {
    if (value <= 0 || greatest === 0) return ' ';
    const index = Math.ceil((value / greatest) * bars.length) - 1;
    return bars[Math.max(0, index)] ?? ' ';
  };
  return shown.map(bar).join('').padStart(width);
}

export function progressBar(share: number, width: number, { filled, empty }: Glyphs): string {
  const done = Math.max(0, Math.min(width, Math.floor(share * width)));
  return filled.repeat(done) + empty.repeat(width - done);
}
