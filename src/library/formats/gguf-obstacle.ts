import { isKnownArchitecture } from './gguf-architectures.ts';
import { readGguf, type Metadata, type TensorInfo } from './gguf-reader.ts';

/** Vision and audio encoders, and what joins them to the language model. */
const ENCODER_TENSOR = /^(v|a|mm)\./;
const SHOWN = 'askd pull and askd search find a build that does';

/** Why llama.cpp would not load these weights, as far as the header tells. */
export function ggufObstacle(path: string): string | undefined {
  return readGguf(path, (metadata, tensors) => obstacleIn(metadata, tensors()));
}

export function obstacleIn(metadata: Metadata, tensors: readonly TensorInfo[]): string | undefined {
  const architecture = String(metadata.get('general.architecture') ?? '');
  if (!isKnownArchitecture(architecture))
    return `llama.cpp does not know the architecture "${architecture}" under this name; ${SHOWN}`;
  const encoder = tensors.find(({ name }) => ENCODER_TENSOR.test(name));
  if (!encoder) return undefined;
  return `its image encoder is inside the weights, which only Ollama's own engine loads; ${SHOWN}`;
}
