import { expect, test } from 'vitest';
import { contextField } from '../../../cli/output/format.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { daemonWith } from '../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { toneSynthesizer } from '../../helpers/models/speaking.ts';

test('a text model shows its context, and one for speech or images shows none', () => {
  const estimate = { context_bytes: 2e6, slots: 4, context_tokens: 2048 };
  expect(contextField(estimate)).toEqual([['context', '2.0 MB (4 requests of 2048 tokens)']]);
  expect(contextField({ ...estimate, context_tokens: null })).toEqual([['buffers', '2.0 MB']]);
  expect(contextField({ ...estimate, context_tokens: null, context_bytes: 0 })).toEqual([]);
});

test('askd load --estimate shows the context of real models', { timeout: 60_000 }, async () => {
  const daemon = await daemonWith({ talker: await scriptedModel('hi'), speaker: await toneSynthesizer() });
  announce(daemon);
  const estimate = async (model: string) =>
    (await runCli(['load', model, '--estimate'], { home: daemon.home })).stdout;
  expect(await estimate('talker')).toMatch(/^context +\S+ \S+ \(4 requests of \d+ tokens\)$/m);
  expect(await estimate('speaker')).toMatch(/^weights /m);
  expect(await estimate('speaker')).not.toMatch(/context|tokens/);
});
