import { expect, test } from 'vitest';
import { SETTING_HELP } from '../../../src/config/setting-help.ts';
import { DEFAULTS } from '../../../src/config/settings.ts';

test('every setting is explained exactly once', () => {
  const explained = SETTING_HELP.flatMap(({ settings }) => Object.keys(settings));
  expect(explained.sort()).toEqual(Object.keys(DEFAULTS).sort());
});
