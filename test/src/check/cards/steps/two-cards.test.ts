import { expect, test } from 'vitest';
import { starterChat } from '../../../../../models/catalog/starter/starter-chat.ts';
import { entryFile } from '../../../../../src/base/paths.ts';
import type { CardFinding, CardSubject } from '../../../../../src/check/cards/card-step.ts';
import { createStart, onProcessor } from '../../../../../src/check/cards/start.ts';
import { twoCards } from '../../../../../src/check/cards/steps/two-cards.ts';
import { findDevices } from '../../../../../src/runtime/devices/find-devices.ts';
import { runnerEnvironment } from '../../../../../src/runtime/runner-environment.ts';
import { hasSoftwareVulkan } from '../../../../helpers/models/devices.ts';

/** Mesa's processor that presents itself as a card, twice. */
const TWICE = { GGML_VK_VISIBLE_DEVICES: '0,0' };

test.runIf(hasSoftwareVulkan)(
  'a model split between two cards says the same as on the processor',
  { timeout: 400_000 },
  async () => {
    const environment = { ...runnerEnvironment('llama'), ...TWICE };
    const [card, second] = await findDevices({ entry: entryFile('models/devices.js'), environment });
    if (!card || !second) throw new Error('Mesa is not found twice');
    const options = { starter: starterChat, runner: entryFile('models/runner.js') };
    const { signal } = new AbortController();
    const subject: CardSubject = {
      ...{ card, second, starter: starterChat, synthetic: starterChat, layers: 1 },
      start: createStart(options),
      freeBytes: () => Promise.resolve(undefined),
      expected: () => onProcessor(options, signal),
    };
    const rows: CardFinding[] = [];
    for await (const row of twoCards.run(subject, signal)) rows.push(row);
    expect(rows).toEqual([
      {
        name: 'two cards',
        status: expect.stringMatching(/passed|weak/) as string,
        message: expect.any(String) as string,
      },
    ]);
    expect(rows[0]?.message).toMatch(/tokens as on the processor/);
  },
);
