import { join } from 'node:path';
import type { SpeechFormat } from '../../../src/runtime/engine.ts';
import { writeToneSynthesizer } from '../../fixtures/audio/tone-synthesizer.ts';
import type { Figure } from '../accounts/report.ts';
import { startAskd, type Askd } from '../overhead/askd.ts';
import { median } from '../overhead/timing.ts';

const FIRST_SHARE_MAX = 0.2;
const FORMATS: readonly SpeechFormat[] = ['mp3', 'opus', 'wav'];
const LONG_TEXT = Array.from(
  { length: 12 },
  (_, index) =>
    `In year ${index + 1} of the long count the river rose, as it had risen before, and the people of the lower ` +
    'town carried what they had to the hill.',
).join(' ');

/** The time to the first audio of a long text, from the daemon as it is installed. */
export async function* measureSpeech(folder: string): AsyncGenerator<Figure> {
  const speaker = join(folder, 'speaker');
  await writeToneSynthesizer(speaker);
  await using askd = await startAskd({});
  await askd.run('import', speaker, '--id', 'speaker');
  for (const format of FORMATS) yield* measureSpeaking(askd, format);
}

async function* measureSpeaking(askd: Askd, format: SpeechFormat): AsyncGenerator<Figure> {
  await say(askd, 'Good morning.', format);
  const runs = [];
  for (let run = 0; run < 3; run++) runs.push(await say(askd, LONG_TEXT, format));
  const what = `${LONG_TEXT.length} characters as ${format}`;
  yield { label: `${what}, first sound`, unit: 'ms', value: median(runs.map(({ firstMs }) => firstMs)) };
  yield { label: `${what}, the whole`, unit: 'ms', value: median(runs.map(({ wholeMs }) => wholeMs)) };
  yield {
    label: `${what}, first sound / whole`,
    unit: 'x',
    value: median(runs.map(({ firstMs, wholeMs }) => firstMs / wholeMs)),
    goal: { atMost: FIRST_SHARE_MAX },
  };
}

async function say({ baseUrl, key }: Askd, input: string, format: SpeechFormat) {
  const startedAt = performance.now();
  const reply = await fetch(`${baseUrl}/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'speaker', input, response_format: format }),
  });
  if (!reply.ok || !reply.body) throw new Error(await reply.text());
  let firstMs: number | undefined;
  for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
    if (chunk.length > 0) firstMs ??= performance.now() - startedAt;
  }
  if (firstMs === undefined) throw new Error('Nothing was said');
  return { firstMs, wholeMs: performance.now() - startedAt };
}
