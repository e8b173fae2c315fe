/** The cases `from`, `from + step`, … before `end`. */
export type ToParser = {
  name: string;
  seed: string | number;
  from: number;
  end: number;
  step: number;
  folder: string;
};

export type FromParser =
  | { type: 'begins'; index: number; isRunner: boolean; msMax: number }
  | { type: 'done'; index: number; outcome: 'answered' | 'refused' | 'failed'; what?: string; bytes: number }
  | { type: 'over' };
