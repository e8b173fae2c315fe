import { ask, chats, userSays } from '../cases/answers.ts';
import { passed, type Step, type Subject } from '../step.ts';

const STREAMS = [1, 4, 8];
const TOKENS = 48;
const TOKENS_FULL = 128;
const TOPICS = ['a harbour', 'a forest', 'a train', 'a market', 'a river', 'a clock', 'a garden', 'a bridge'];

/** Tokens per second of answers, one at a time and several together. */
export const speed: Step = {
  name: 'speed',
  applies: chats,
  async run(subject, signal) {
    const tokensPerSecond: Record<string, number> = {};
    for (const streams of STREAMS) tokensPerSecond[streams] = await measure(subject, streams, signal);
    const parts = STREAMS.map((streams) => `${format(tokensPerSecond[streams] ?? 0)} at ${streams}`);
    return {
      ...passed(
        `tokens/s of all streams: ${parts.join(', ')}`,
        `${format(tokensPerSecond[1] ?? 0)} tokens/s`,
      ),
      tokensPerSecond,
    };
  },
};

async function measure(subject: Subject, streams: number, signal: AbortSignal): Promise<number> {
  const maxTokens = subject.isFull ? TOKENS_FULL : TOKENS;
  const startedAt = performance.now();
  const answers = await Promise.all(
    TOPICS.slice(0, streams).map((topic) =>
      ask(subject, { ...userSays(`Describe ${topic} in detail.`), maxTokens }, signal),
    ),
  );
  const tokens = answers.reduce((sum, { completionTokens }) => sum + completionTokens, 0);
  const [only] = answers;
  const decodeSeconds = streams === 1 && only ? only.decodeSeconds : 0;
  // The prompt of a single stream is not part of its speed.
  const seconds = decodeSeconds > 0 ? decodeSeconds : (performance.now() - startedAt) / 1000;
  return Math.round((10 * tokens) / seconds) / 10;
}

function format(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
