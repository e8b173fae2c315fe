import type { CHAT_IMAGES } from '../../../src/config/config.ts';
import type { Answers } from './query.ts';

export type PictureMode = (typeof CHAT_IMAGES)[number];
export type PictureProtocol = Exclude<PictureMode, 'auto' | 'off'>;

type Env = Readonly<Record<string, string | undefined>>;

/** These print queries that they do not know. */
const NEVER_ASKED = /^(?:Apple_Terminal|linux)$/;

/** The image protocol of the terminal, from its environment. None inside tmux and screen. */
export function protocolOf(env: Env): PictureProtocol | undefined {
  const { TERM: term = '', TERM_PROGRAM: program = '' } = env;
  if (env['TMUX'] || isNested(env) || term === 'dumb') return undefined;
  if (env['KITTY_WINDOW_ID'] || /kitty|ghostty/.test(`${term} ${program}`)) return 'kitty';
  if (isIterm2(env)) return 'iterm2';
  return /^(?:foot|mlterm)/.test(term) ? 'sixel' : undefined;
}

/** The image protocol of a terminal that has answered. */
export function answeredProtocol(env: Env, { hasKitty, hasSixel }: Answers): PictureProtocol | undefined {
  if (!env['TMUX'] && isIterm2(env)) return 'iterm2';
  if (hasKitty) return 'kitty';
  return hasSixel ? 'sixel' : undefined;
}

/** Whether a query would reach the terminal instead of appearing on its screen. */
export function canAsk(env: Env): boolean {
  const { TERM = '', TERM_PROGRAM = '' } = env;
  return (
    !NEVER_ASKED.test(TERM) && !NEVER_ASKED.test(TERM_PROGRAM) && (Boolean(env['TMUX']) || !isNested(env))
  );
}

/** Inside screen, which shows no images, or in tmux on another machine. */
function isNested(env: Env): boolean {
  return Boolean(env['STY']) || /^(?:tmux|screen)/.test(env['TERM'] ?? '');
}

function isIterm2({ TERM_PROGRAM: program = '', LC_TERMINAL: local }: Env): boolean {
  return ['iTerm.app', 'WezTerm'].includes(program) || local === 'iTerm2';
}
