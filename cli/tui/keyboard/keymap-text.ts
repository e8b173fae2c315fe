import { renderFields } from '../../output/table.ts';
import { KEYMAP } from './keymap.ts';
import { SCREENS } from '../state/state.ts';

/** Every key of the dashboard, for `askd help keymap`. */
export function keymapText(): string {
  const sections = ['anywhere', ...SCREENS].map((place) => {
    const keys = KEYMAP.filter(({ where }) => where === place).map(
      ({ keys: names, does }) => [`  ${names.join(', ')}`, does] as const,
    );
    return `${place}\n${renderFields(keys)}`;
  });
  return sections.join('\n\n');
}
