import type { ChatProgress } from './chat-run.ts';
import type { Meter } from './metered.ts';

/** Whether all these texts pass moderation. */
export type CheckTexts = (texts: readonly string[]) => Promise<boolean>;

/** How much text is checked at a time, together with as much of the text before it. */
const SEGMENT_CHARACTERS = 400;
const CONTEXT_CHARACTERS = 200;

type Filtering = {
  progress: AsyncIterable<ChatProgress>;
  choices: number;
  checkTexts: CheckTexts;
  meter: Meter;
};

/** Emits only checked text. Flagged text and everything after it is never emitted, and the answer ends there. */
export async function* filterAnswer({
  progress,
  choices,
  checkTexts,
  meter,
}: Filtering): AsyncGenerator<ChatProgress> {
  const answers = Array.from({ length: choices }, (): Held => ({
    events: [],
    text: '',
    before: '',
    isCut: false,
  }));
  for await (const event of progress) {
    if (event.type === 'prompt') {
      yield event;
      continue;
    }
    const held = answers[event.choice ?? 0];
    if (!held || held.isCut) continue;
    held.events.push(event);
    held.text += textOf(event);
    if (event.type !== 'end' && held.text.length < SEGMENT_CHARACTERS) continue;
    if (held.text === '' || (await checkTexts([held.before + held.text]))) {
      yield* held.events;
      Object.assign(held, { events: [], text: '', before: held.text.slice(-CONTEXT_CHARACTERS) });
    } else {
      held.isCut = true;
      yield filtered(meter, event.completionTokens, event.choice);
      if (answers.every(({ isCut }) => isCut)) return;
    }
  }
}

/** For a flagged prompt: every choice is filtered, and costs nothing. */
export function* refuseAnswers(choices: number, meter: Meter): Generator<ChatProgress> {
  for (let choice = 0; choice < choices; choice++) {
    yield filtered(meter, 0, choices > 1 ? choice : undefined);
  }
}

type Held = { events: ChatProgress[]; text: string; before: string; isCut: boolean };

function textOf(event: ChatProgress): string {
  if (event.type === 'toolCall') return event.name;
  return event.type === 'prompt' || event.type === 'end' ? '' : event.text;
}

function filtered(meter: Meter, completionTokens: number, choice: number | undefined): ChatProgress {
  meter.outcome = 'finished';
  meter.finishReason = 'content_filter';
  return { type: 'end', reason: 'content_filter', completionTokens, ...(choice !== undefined && { choice }) };
}
