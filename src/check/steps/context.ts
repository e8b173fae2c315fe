import { ask, chats, userSays } from '../cases/answers.ts';
import { failed, passed, weak, type Step, type Subject } from '../step.ts';

const FILLER = 'The tide came in, the boats turned, and nobody on the quay said a word. ';
const DEPTHS = [0.1, 0.5, 0.9];
/** Beyond this, the check takes minutes on a processor. */
const QUICK_TOKENS = 400;
/** For the question and the answer. */
const SPARE_TOKENS = 120;

/** One sentence is hidden at three depths of a long text, and the model is asked for it. */
export const context: Step = {
  name: 'context',
  applies: (subject) => chats(subject) && subject.runner.countTokens !== undefined,
  async run(subject, signal) {
    const limit = subject.runner.description.contextTokens;
    const room = Math.max(0, limit - SPARE_TOKENS);
    const wanted = subject.isFull ? room : Math.min(room, QUICK_TOKENS);
    const sentences = Math.floor(wanted / (await tokensOfFiller(subject, signal)));
    const found: number[] = [];
    for (const [index, depth] of DEPTHS.entries()) {
      const code = String(7341 + 1289 * index);
      const { text, reason } = await ask(
        subject,
        { ...userSays(haystack(sentences, { depth, code })), maxTokens: 24 },
        signal,
      );
      if (reason === 'abort') return failed(`a prompt of ${wanted} tokens was aborted`);
      if (text.includes(code)) found.push(depth);
    }
    const length = `${wanted} of ${limit} tokens`;
    if (found.length === DEPTHS.length) return passed(`found a sentence at every depth of ${length}`);
    return weak(`found a sentence at ${found.length} of ${DEPTHS.length} depths of ${length}`);
  },
};

async function tokensOfFiller({ runner }: Subject, signal: AbortSignal): Promise<number> {
  const count = async (repeats: number) =>
    (await runner.countTokens?.(userSays(FILLER.repeat(repeats)), signal)) ?? 0;
  return Math.max(1, ((await count(6)) - (await count(1))) / 5);
}

function haystack(sentences: number, { depth, code }: { depth: number; code: string }): string {
  const before = Math.round(sentences * depth);
  const needle = `The code of the harbour gate is ${code}. `;
  const text = FILLER.repeat(before) + needle + FILLER.repeat(Math.max(0, sentences - before));
  return `${text}\nWhat is the code of the harbour gate? Answer with the number alone.`;
}
