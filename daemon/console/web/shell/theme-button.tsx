import { Icon } from './icons.tsx';
import { setTheme, THEMES, useTheme } from './theme.ts';

const NAMES = { system: 'System', light: 'Light', dark: 'Dark' };

/** One button that cycles through the three. */
export function ThemeButton() {
  const theme = useTheme();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  return (
    <button
      type="button"
      className="plain square"
      title={`Theme: ${NAMES[theme]}`}
      onClick={() => setTheme(next)}
    >
      <Icon name={theme} />
      <span className="hidden">Theme: {NAMES[theme]}</span>
    </button>
  );
}
