import { CHAT_THEMES } from '../../../src/config/config.ts';
import { BOLD, DIM, PLAIN, type Style } from './style.ts';

export const THEMES = CHAT_THEMES;
export type Theme = (typeof THEMES)[number];

/** The 256 colours; `terminal` uses the sixteen that the user has chosen. */
const COLOURS: Readonly<Record<Exclude<Theme, 'terminal'>, Readonly<Record<string, Style>>>> = {
  dark: {
    ...{ 31: '38;5;210', 32: '38;5;114', 33: '38;5;222', 34: '38;5;111', 35: '38;5;176', 36: '38;5;80' },
    90: '38;5;246',
  },
  light: {
    ...{ 31: '38;5;124', 32: '38;5;22', 33: '38;5;94', 34: '38;5;19', 35: '38;5;90', 36: '38;5;24' },
    90: '38;5;240',
  },
  mono: { ...{ 31: DIM, 32: PLAIN, 33: PLAIN, 34: PLAIN, 35: BOLD, 36: BOLD }, 90: DIM },
};

/** A style in the colours of the theme. */
export function themed(style: Style, theme: Theme): Style {
  if (theme === 'terminal') return style;
  const parts = style.split(';').map((each) => COLOURS[theme][each] ?? each);
  return [...new Set(parts)].filter((each) => each !== PLAIN).join(';');
}
