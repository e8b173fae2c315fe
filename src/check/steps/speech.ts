import { failed, passed, weak, type Finding, type Step, type Subject } from '../step.ts';

const TEXTS = [
  'Yes.',
  'Good morning.',
  'The boat leaves at half past nine.',
  'It rains in the mountains, and the river rises. We stay here.',
  'She bought 12 apples for $3.50 on May 4.',
];
const RATE = 24_000;
/** Nobody speaks faster or slower than this. */
const SECONDS_PER_CHARACTER = { min: 0.02, max: 0.4 };
const SILENCE = 0.005;
const CLIPPED = 0.999;
/** Above this share of samples at the limit, speech sounds distorted. */
const CLIPPED_SHARE_MAX = 0.01;

export const speech: Step = {
  name: 'speech',
  applies: ({ runner, manifest }) => runner.speak !== undefined && manifest.engine !== 'upstream',
  async run(subject, signal) {
    const voices = Object.values(subject.manifest.speech?.voices ?? {});
    const seconds: number[] = [];
    for (const [index, text] of TEXTS.entries()) {
      const voice = voices[index % Math.max(1, voices.length)] ?? 'alloy';
      const samples = await say(subject, { text, voice }, signal);
      const problem = problemOf(samples, text);
      if (problem) return failed(`${problem}: ${JSON.stringify(text)} with the voice ${voice}`);
      seconds.push(samples.length / RATE);
    }
    return report(seconds);
  },
};

function report(seconds: readonly number[]): Finding {
  const lengths = seconds.map((each) => each.toFixed(1)).join(', ');
  const message = `${TEXTS.length} texts were spoken, in ${lengths} s`;
  const grows = (seconds[0] ?? 0) < (seconds[2] ?? 0) && (seconds[1] ?? 0) < (seconds[3] ?? 0);
  return grows ? passed(message) : weak(`${message}: longer texts do not take longer`);
}

type Saying = { text: string; voice: string };

function say(subject: Subject, { text, voice }: Saying, signal: AbortSignal): Promise<Float32Array> {
  return subject.withSlot(async ({ speak }) => {
    const parts: Uint8Array[] = [];
    const events = speak?.({ text, voice, speed: 1, format: 'pcm' }, signal) ?? [];
    for await (const event of events) if (event.type === 'sound') parts.push(event.bytes);
    signal.throwIfAborted();
    const bytes = Buffer.concat(parts);
    return Float32Array.from(
      { length: bytes.length >> 1 },
      (_, index) => bytes.readInt16LE(2 * index) / 32_768,
    );
  }, signal);
}

function problemOf(samples: Float32Array, text: string): string | undefined {
  const perCharacter = samples.length / RATE / text.length;
  if (perCharacter < SECONDS_PER_CHARACTER.min) return 'the speech is too short';
  if (perCharacter > SECONDS_PER_CHARACTER.max) return 'the speech is too long';
  const level = Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
  if (level < SILENCE) return 'the speech is silent';
  const clipped = samples.filter((value) => Math.abs(value) >= CLIPPED).length;
  return clipped / samples.length > CLIPPED_SHARE_MAX ? 'the speech is clipped' : undefined;
}
