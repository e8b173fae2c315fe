import { renderFields } from '../../output/table.ts';
import { wrapText } from '../../output/wrap.ts';
import { KEYMAP } from './keymap.ts';
import { SCREENS } from '../state/state.ts';

const COLUMNS = 80;
const INDENT = '  ';
const GAP = 2;

/** Every key of the dashboard, for `askd help keymap`. */
export function keymapText(): string {
  return ['anywhere', ...SCREENS].map((place) => `${place}\n${keysOf(place)}`).join('\n\n');
}

function keysOf(place: string): string {
  const keys = KEYMAP.filter(({ where }) => where === place).map(
    ({ keys: names, does }) => [INDENT + names.join(', '), does] as const,
  );
  const room = COLUMNS - GAP - Math.max(...keys.map(([names]) => names.length));
  return renderFields(
    keys.flatMap(([names, does]) =>
      wrapText(does, room).map((line, index) => [index === 0 ? names : '', line] as const),
    ),
  );
}
