import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { passed, skipped, weak, type Step, type Subject } from '../step.ts';

const TEXTS = [
  'The train leaves in the morning.',
  'Please close the window before you go.',
  'My brother has three small children.',
  'We will meet again next summer.',
  'The water in the lake is very cold.',
];
const SECONDS_MAX = 60;
const RIGHT_SHARE_GOOD = 0.6;

/** Sentences spoken by this machine's voice are transcribed. */
export const transcription: Step = {
  name: 'transcription',
  applies: ({ runner }) => runner.transcribe !== undefined,
  async run(subject, signal) {
    const { speak, uploads } = subject;
    if (!speak) return skipped('no voice on this machine can speak to it: askd config set starter on');
    const folder = await mkdtemp(join(uploads, 'check-'));
    try {
      const path = join(folder, 'speech.wav');
      let [right, total] = [0, 0];
      for (const text of TEXTS) {
        await speak(text, path, signal);
        const words = wordsOf(text);
        const recognised = new Set(wordsOf(await transcribe(subject, path, signal)));
        right += words.filter((word) => recognised.has(word)).length;
        total += words.length;
      }
      return report(right, total);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function report(right: number, total: number) {
  const message = `${right} of ${total} words of synthetic speech were recognised`;
  return right / total >= RIGHT_SHARE_GOOD ? passed(message) : weak(message);
}

async function transcribe(subject: Subject, path: string, signal: AbortSignal): Promise<string> {
  return subject.withSlot(async ({ transcribe: run }) => {
    const request = { path, task: 'transcribe' as const, language: 'en', temperature: 0, words: false };
    const texts: string[] = [];
    let hasEnded = false;
    for await (const event of run?.({ ...request, secondsMax: SECONDS_MAX }, signal) ?? []) {
      if (event.type === 'segment') texts.push(event.segment.text);
      if (event.type === 'end') hasEnded = true;
    }
    signal.throwIfAborted();
    if (!hasEnded) throw new Error('The transcript did not end');
    return texts.join(' ');
  }, signal);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}
