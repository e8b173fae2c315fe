import { renderFields } from '../../output/table.ts';
import { wrapFields } from '../../output/wrap.ts';
import { KEYMAP } from './keymap.ts';
import { SCREENS } from '../state/state.ts';

const COLUMNS = 80;
const INDENT = '  ';

/** Every key of the dashboard, for `askd help keymap`. */
export function keymapText(): string {
  return ['anywhere', ...SCREENS].map((place) => `${place}\n${keysOf(place)}`).join('\n\n');
}

function keysOf(place: string): string {
  const keys = KEYMAP.filter(({ where }) => where === place).map(
    ({ keys: names, does }) => [INDENT + names.join(', '), does] as const,
  );
  return renderFields(wrapFields(keys, COLUMNS));
}
