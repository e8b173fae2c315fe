/** Requests and events of speech sessions; a part of the engine contract. */
export type TranscribeRequest = {
  /** An audio or video file on this machine, in any supported container. */
  path: string;
  task: 'transcribe' | 'translate';
  /** A language code; detected by the model if absent. */
  language?: string;
  /** The preceding text, or the spelling of names. */
  prompt?: string;
  temperature: number;
  /** Whether word timestamps are requested. */
  words: boolean;
  /** Longer audio is rejected. */
  secondsMax: number;
};

export type TranscribeEvent =
  /** The duration of the file, before anything is transcribed. */
  | { type: 'sound'; seconds: number }
  | { type: 'language'; language: string }
  | { type: 'segment'; segment: Segment }
  /** Everything before this time has been transcribed. */
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
  /** The model's own name for the voice. */
  voice: string;
  /** 1 is the voice's normal speed. */
  speed: number;
  format: SpeechFormat;
};

export type SpeakEvent =
  /** The next bytes of the file, and the position in the text. */
  { type: 'sound'; bytes: Uint8Array; characters: number } | { type: 'end' };
