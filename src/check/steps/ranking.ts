import { collectItems } from '../cases/items.ts';
import { failed, passed, weak, type Step } from '../step.ts';

/** The first document answers the query. */
const CASES: readonly (readonly [query: string, ...documents: string[]])[] = [
  [
    'When was the mill built?',
    'The mill was built in 1872.',
    'The mill stands by the river.',
    'A baker bought flour.',
  ],
  [
    'What do owls eat?',
    'Owls eat mice and other small animals.',
    'Owls sleep during the day.',
    'The museum opens at nine.',
  ],
  [
    'capital of Norway',
    'Oslo is the capital of Norway.',
    'Norway has many fjords.',
    'Capital can mean money.',
  ],
  [
    'How do I reset my password?',
    'To choose a new password, open Settings.',
    'Passwords are stored encrypted.',
    'Our office is in Bern.',
  ],
  [
    'Who leads the orchestra?',
    'The orchestra is led by its conductor.',
    'The orchestra has eighty chairs.',
    'The concert is free.',
  ],
];
const RIGHT_GOOD = 4;

export const ranking: Step = {
  name: 'ranking',
  applies: ({ runner, manifest }) => runner.rerank !== undefined && manifest.tasks.includes('rerank'),
  async run(subject, signal) {
    let right = 0;
    for (const [query, ...documents] of CASES) {
      const scores = await subject.withSlot(async ({ rerank }) => {
        if (!rerank) throw new Error('The model does not rank');
        return collectItems(rerank({ query, documents }, signal), signal);
      }, signal);
      const wrong = scores.find((score) => !(score >= 0 && score <= 1));
      if (wrong !== undefined) return failed(`a relevance is ${wrong}, not between 0 and 1`);
      const [first = 0, ...others] = scores;
      if (others.every((score) => score < first)) right += 1;
    }
    const message = `the document that answers came first in ${right} of ${CASES.length} cases`;
    return right >= RIGHT_GOOD ? passed(message) : weak(message);
  },
};
