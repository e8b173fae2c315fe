import type { TranscriptEvent } from '../../../../../../src/api/tasks/audio.ts';

export type Line = { start: number; end: number; text: string };
export type Word = { word: string; start: number; end: number };
export type Transcript = {
  lines: readonly Line[];
  words: readonly Word[];
  /** Undefined until the end has arrived. */
  progress?: { seconds: number; total: number };
  language?: string;
  text: string;
};

export const NOTHING: Transcript = { lines: [], words: [], text: '' };

export function add(transcript: Transcript, event: TranscriptEvent): Transcript {
  switch (event.type) {
    case 'transcript.text.segment': {
      const { start, end, text } = event;
      return {
        ...transcript,
        lines: [...transcript.lines, { start, end, text: text.trim() }],
        text: `${transcript.text}${text}`.trimStart(),
      };
    }
    case 'transcript.text.delta':
      return { ...transcript, text: transcript.text + event.delta };
    case 'transcript.progress':
      return { ...transcript, progress: { seconds: event.seconds, total: event.total } };
    case 'transcript.text.done': {
      const { language, words = [] } = event.transcription ?? {};
      const { lines } = transcript;
      return { lines, text: event.text, words, ...(language !== undefined && { language }) };
    }
  }
}
