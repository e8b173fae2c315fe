import { expect, test } from 'vitest';
import { ACTIONS } from '../../../../cli/tui/actions.ts';
import { actionOf, helpOf, hintsOf, KEYMAP } from '../../../../cli/tui/keyboard/keymap.ts';
import { SCREENS } from '../../../../cli/tui/state/state.ts';

test('no key has two meanings on one screen', () => {
  for (const screen of SCREENS) {
    const keys = KEYMAP.filter(({ where }) => where === screen).flatMap(({ keys: each }) => [...each]);
    expect(new Set(keys).size, screen).toBe(keys.length);
  }
  const anywhere = KEYMAP.filter(({ where }) => where === 'anywhere').flatMap(({ keys }) => [...keys]);
  expect(new Set(anywhere).size).toBe(anywhere.length);
});

test('every line of the table does something, and every action has a key', () => {
  const inTable = new Set<string>(KEYMAP.map(({ action }) => action));
  expect(inTable).toEqual(new Set(Object.keys(ACTIONS)));
});

test('a screen may give a key its own meaning', () => {
  expect(actionOf('l', 'models')).toBe('models.load');
  expect(actionOf('l', 'keys')).toBeUndefined();
  expect(actionOf('q', 'keys')).toBe('quit');
});

test('help and the footer are made from the table', () => {
  expect(helpOf('keys')).toContainEqual(['d', 'revoke the key: type its name']);
  expect(hintsOf('keys')[0]).toEqual({ key: 'n', text: 'new' });
});

test('a global key is not shown where the screen has its own meaning for it', () => {
  expect(hintsOf('chat').filter(({ key }) => key === '/')).toEqual([{ key: '/', text: 'search' }]);
  expect(hintsOf('keys').filter(({ key }) => key === '/')).toEqual([{ key: '/', text: 'filter' }]);
});
