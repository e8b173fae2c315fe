import { ask, chats, userSays, type Answer } from '../cases/answers.ts';
import { failed, passed, type Step, type Subject } from '../step.ts';

const QUESTIONS = ['Say hello.', 'What is 2 + 3? Answer with the number alone.', 'Name one colour.'];
const TOKENS_MAX = 256;

/** Every answer is finite, and at least one of three ends its turn. */
export const endOfTurn: Step = {
  name: 'end of turn',
  applies: chats,
  async run(subject, signal) {
    for (const question of QUESTIONS) {
      const answer = await ask(subject, { ...userSays(question), ...limits(subject) }, signal);
      if (answer.logprobs.some((value) => Number.isNaN(value))) {
        return failed('the model computes NaN: its weights are damaged, or its precision overflows');
      }
      if (answer.reason === 'stop') return ended(answer);
    }
    return failed(
      `it never ends its turn: ${QUESTIONS.length} answers to short questions ran to their limit. ` +
        'Most likely its end-of-turn token is not the one that its template uses.',
    );
  },
};

function limits({ runner, manifest }: Subject) {
  const maxTokens = Math.min(TOKENS_MAX, Math.floor(runner.description.contextTokens / 2));
  return { maxTokens, ...(manifest.engine === 'llama' && { logprobs: { top: 0 } }) };
}

function ended({ text, completionTokens }: Answer) {
  const shown = text.trim().slice(0, 60);
  return passed(`it ended its turn after ${completionTokens} tokens: ${JSON.stringify(shown)}`);
}
