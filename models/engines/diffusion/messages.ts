/** What the engine and the program that draws say to each other: a JSON object a line. */
export type ToImageGenerator =
  { type: 'load'; load: ImageGeneratorLoad } | { type: 'draw'; order: Order } | { type: 'cancel' };

export type ImageGeneratorLoad = {
  /** Absolute paths, by the names that the library has for them. */
  files: Record<string, string>;
  threads: number;
};

/** One picture in the size in which the model draws. */
export type Order = {
  prompt: string;
  negativePrompt: string;
  width: number;
  height: number;
  steps: number;
  guidance: number;
  seed: number;
  /** The last part of the work is done piece by piece, where it would take too much memory at once. */
  isTiled: boolean;
};

export type FromImageGenerator =
  | { type: 'loaded'; memoryBytes: number }
  | { type: 'load_failed'; message: string }
  | { type: 'step'; step: number; memoryBytes: number }
  /** A PNG file in base64. */
  | { type: 'picture'; data: string; memoryBytes: number }
  | { type: 'cancelled' }
  | { type: 'failed'; message: string };
