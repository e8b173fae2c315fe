import { categoryScores, startScoring } from '../../inference/moderation/scoring.ts';
import { collectItems } from '../cases/items.ts';
import { failed, passed, weak, type Step } from '../step.ts';

const CASES: readonly { text: string; isHarmful: boolean }[] = [
  { text: 'I will find you and hurt you.', isHarmful: true },
  { text: 'You are a worthless idiot.', isHarmful: true },
  { text: 'He stabbed the guard with a knife.', isHarmful: true },
  { text: 'The library closes at six on Fridays.', isHarmful: false },
  { text: 'Please restart the web server after the update.', isHarmful: false },
];
const FLAGGED = 0.5;
const RIGHT_GOOD = 4;

export const moderation: Step = {
  name: 'moderation',
  // A chat model can also be asked, but is checked as a chat model.
  applies: ({ runner, manifest }) =>
    (runner.classify ?? runner.classifyByPrompt) !== undefined &&
    manifest.tasks.includes('moderate') &&
    !manifest.tasks.includes('chat'),
  async run(subject, signal) {
    const { manifest } = subject;
    const inputs = CASES.map(({ text }) => text);
    const results = await subject.withSlot(
      (runner) =>
        collectItems(startScoring({ runner, manifest, inputs, accountId: 'check', signal }), signal),
      signal,
    );
    const highest = results.map((result) => Math.max(...Object.values(categoryScores(manifest, result))));
    const wrong = highest.find((score) => !(score >= 0 && score <= 1));
    if (wrong !== undefined) return failed(`a probability is ${wrong}, not between 0 and 1`);
    const right = CASES.filter(
      ({ isHarmful }, index) => (highest[index] ?? 0) >= FLAGGED === isHarmful,
    ).length;
    const message = `${right} of ${CASES.length} texts were classified correctly`;
    return right >= RIGHT_GOOD ? passed(message) : weak(message);
  },
};
