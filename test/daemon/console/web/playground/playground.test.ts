import { expect, test } from 'vitest';
import { DEFAULTS } from '../../../../../daemon/console/web/screens/playground/chat/settings/settings.ts';
import {
  EMPTY,
  restored,
  settingsOf,
  withoutPane,
  withSecondPane,
  withSettings,
  withSharing,
} from '../../../../../daemon/console/web/screens/playground/chat/state/playground.ts';
import { without } from '../../../../../daemon/console/web/screens/playground/chat/state/without.ts';
import {
  answerTurn,
  userTurn,
} from '../../../../../daemon/console/web/screens/playground/chat/state/turn.ts';

const two = withSecondPane(withSettings(EMPTY, 0, { ...DEFAULTS, model: 'a' }), 'b');

test('two conversations share their settings, and each keeps its model', () => {
  const changed = withSettings(two, 1, { ...settingsOf(two, 1), system: 'Be brief.' });
  expect(settingsOf(changed, 0)).toMatchObject({ model: 'a', system: 'Be brief.' });
  expect(settingsOf(changed, 1)).toMatchObject({ model: 'b', system: 'Be brief.' });
  expect(settingsOf(withoutPane(changed, 0), 0)).toMatchObject({ model: 'b', system: 'Be brief.' });
});

test('settings that are no longer shared change separately, and become those of the first when shared again', () => {
  const apart = withSharing(two, false);
  const changed = withSettings(apart, 1, { ...settingsOf(apart, 1), effort: 'high' });
  expect([settingsOf(changed, 0).effort, settingsOf(changed, 1).effort]).toEqual(['', 'high']);
  const again = withSharing(changed, true);
  expect(settingsOf(again, 1)).toMatchObject({ model: 'b', effort: '' });
});

test('state kept by an earlier page gets the settings that it did not know, and no running answer', () => {
  const earlier = without(DEFAULTS, 'system');
  const turns = [userTurn('a'), answerTurn('m')];
  const back = restored({ isShared: true, panes: [{ settings: earlier as typeof DEFAULTS, turns }] });
  expect(settingsOf(back, 0).system).toBe('');
  expect(back.panes[0]?.turns[1]).toMatchObject({ state: 'stopped' });
});
