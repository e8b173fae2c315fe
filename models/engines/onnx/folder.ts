import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../../src/base/errors.ts';

export type OnnxConfig = {
  model_type?: string;
  vocab_size?: number;
  id2label?: Record<string, string>;
  problem_type?: string;
};

/** File names end with the precision of the weights. If there are several, the most precise one is used. */
const PRECISIONS = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
} as const;

export type Precision = keyof typeof PRECISIONS;

/** The folder of one model in the hub's layout: `config.json`, the tokenizer, and `onnx/NAME.onnx`. */
export function openFolder(path: string) {
  const readJson = <Content>(name: string): Content | undefined => {
    const file = join(path, name);
    if (!existsSync(file)) return undefined;
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Content;
    } catch (cause) {
      throw new Failure('invalid_model_file', `${file} is not valid JSON.`, { cause });
    }
  };

  function requireJson<Content>(name: string): Content {
    const content = readJson<Content>(name);
    if (content !== undefined) return content;
    throw new Failure('model_load_failed', `${path} is not the folder of an ONNX model: it has no ${name}.`);
  }

  /** The precision of the weights with this name. */
  function precisionOf(name: string): Precision {
    const isHere = (precision: Precision) =>
      existsSync(join(path, 'onnx', `${name}${PRECISIONS[precision]}.onnx`));
    const found = (Object.keys(PRECISIONS) as Precision[]).find(isHere);
    if (found) return found;
    throw new Failure('model_load_failed', `${path} has no onnx/${name}.onnx in any precision.`);
  }

  return { path, config: requireJson<OnnxConfig>('config.json'), readJson, precisionOf };
}

export type OnnxFolder = ReturnType<typeof openFolder>;

/** ONNX Runtime's threads spin while they wait, unless told not to. */
export function loadOptions(dtype: Precision | Record<string, Precision>, threads: number) {
  return {
    dtype,
    device: 'cpu' as const,
    local_files_only: true,
    session_options: {
      intraOpNumThreads: threads,
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    },
  };
}

export function defaultThreads(): number {
  return availableParallelism();
}
