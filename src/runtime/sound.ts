/** What is asked of sessions that hear and speak, and what they answer; a part of the engine contract. */
export type TranscribeRequest = {
  /** A file on this machine, with sound in any container that is known. */
  path: string;
  task: 'transcribe' | 'translate';
  /** A code; found out by the model when it is absent. */
  language?: string;
  /** The preceding text, or the spelling of names. */
  prompt?: string;
  temperature: number;
  /** Whether the time of each word is wanted. */
  words: boolean;
  /** Sound that is longer is refused. */
  secondsMax: number;
};

export type TranscribeEvent =
  /** How long the file is, before anything is heard. */
  | { type: 'sound'; seconds: number }
  | { type: 'language'; language: string }
  | { type: 'segment'; segment: Segment }
  /** All before this time has been heard. */
  | { type: 'progress'; seconds: number }
  | { type: 'end'; seconds: number };

/** Times are in seconds from the beginning of the file. */
export type Segment = {
  start: number;
  end: number;
  text: string;
  tokens: number[];
  temperature: number;
  averageLogprob: number;
  compressionRatio: number;
  noSpeechProbability: number;
  words?: TimedWord[];
};
export type TimedWord = { word: string; start: number; end: number };

export type SpeechFormat = 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm';

export type SpeakRequest = {
  text: string;
  /** As the model calls it. */
  voice: string;
  /** 1 is how the voice speaks by itself. */
  speed: number;
  format: SpeechFormat;
};

export type SpeakEvent =
  /** The next bytes of the file, and how far in the text it is by then. */
  { type: 'sound'; bytes: Uint8Array; characters: number } | { type: 'end' };
