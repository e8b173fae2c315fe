import { ask, chats } from '../cases/answers.ts';
import { passed, weak, type Step } from '../step.ts';

/** A red square of 32 pixels, as PNG. */
const RED =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAA1BMVEXcFBQXnfKmAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQ4y2NgGAWjYBSMAuwAAAQgAAFWu83mAAAAAElFTkSuQmCC';

export const vision: Step = {
  name: 'vision',
  applies: (subject) => chats(subject) && subject.manifest.engine === 'vision',
  async run(subject, signal) {
    const content = [
      { type: 'image' as const, data: RED, mime: 'image/png' },
      { type: 'text' as const, text: 'Which colour is this square? Answer with one word.' },
    ];
    const { text } = await ask(subject, { messages: [{ role: 'user', content }], maxTokens: 16 }, signal);
    const shown = JSON.stringify(text.trim().slice(0, 40));
    if (/\bred\b/i.test(text)) return passed('it named the colour of an image', 'vision');
    return weak(`it did not name the colour of a red image: ${shown}`, 'vision');
  },
};
