import { ask, chats, userSays } from '../cases/answers.ts';
import { passed, weak, type Step } from '../step.ts';

const QUESTION = 'Write one sentence about a lighthouse.';
const OTHERS = ['Count from one to ten.', 'Name three rivers.', 'Describe a red bicycle.'];

/** The most probable answer, repeated from the cache and beside other requests. */
export const repeatability: Step = {
  name: 'same answer twice',
  applies: chats,
  async run(subject, signal) {
    const say = (question: string) => ask(subject, userSays(question), signal);
    const alone = await say(QUESTION);
    const cached = await say(QUESTION);
    const [batched] = await Promise.all([QUESTION, ...OTHERS].map(say));
    const differs = [
      ...(cached.text === alone.text ? [] : ['from the cache']),
      ...(batched?.text === alone.text ? [] : ['beside other requests']),
    ];
    if (differs.length === 0) {
      const drafts = subject.runner.description.draftedBy === undefined ? '' : ', with drafts';
      return passed(`the most probable answer is the same again, cached and in a batch${drafts}`);
    }
    return weak(`the most probable answer differs ${differs.join(' and ')}`);
  },
};
