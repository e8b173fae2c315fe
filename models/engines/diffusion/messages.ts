/** The protocol between the engine and its child process: one JSON object per line. */
export type ToImageGenerator =
  { type: 'load'; load: ImageGeneratorLoad } | { type: 'draw'; order: Order } | { type: 'cancel' };

export type ImageGeneratorLoad = {
  /** Absolute paths, by the library's names. */
  files: Record<string, string>;
  threads: number;
};

/** One image at the model's native size. */
export type Order = {
  prompt: string;
  negativePrompt: string;
  width: number;
  height: number;
  steps: number;
  guidance: number;
  seed: number;
  /** Decodes in tiles if the whole image would take too much memory at once. */
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
