import { collectItems } from '../cases/items.ts';
import { failed, passed, weak, type Step } from '../step.ts';

const TEXTS = ['Good morning.', 'Thank you.', 'Where is the station?', 'The house is red.', 'I am hungry.'];
const TOKENS_MAX = 400;

/** For models made for translation; a chat model is checked as a chat model. */
export const translation: Step = {
  name: 'translation',
  applies: ({ runner }) => runner.translate !== undefined,
  async run(subject, signal) {
    const results = await subject.withSlot(async ({ translate }) => {
      if (!translate) throw new Error('The model does not translate');
      const request = { texts: TEXTS, source: 'en', target: 'de', maxTokens: TOKENS_MAX };
      return collectItems(translate(request, signal), signal);
    }, signal);
    if (results.every(({ text }) => text.trim() === '')) return failed('every translation is empty');
    if (results.every(({ isComplete }) => !isComplete)) return failed('no translation ended by itself');
    const changed = results.filter(({ text }, index) => text.trim() !== '' && text !== TEXTS[index]).length;
    const message = `${changed} of ${TEXTS.length} sentences changed on the way into German: ${JSON.stringify(results[0]?.text)}`;
    return changed === TEXTS.length ? passed(message) : weak(message);
  },
};
