import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import { refusalReason, whyNotUsable } from './gguf-abilities.ts';
import { isKnownArchitecture, LLAMA_CPP_RELEASE } from './gguf-architectures.ts';
import { readGguf, type Metadata, type TensorInfo } from './gguf-reader.ts';

/** Vision and audio encoders, and what joins them to the language model. */
const ENCODER_TENSOR = /^(v|a|mm)\./;
const OTHER_BUILDS = 'askd pull and askd search find';

/** Why llama.cpp would not load these weights, as far as the header tells. */
export function ggufObstacle(path: string): string | undefined {
  return readGguf(path, (metadata, tensors) => obstacleIn(metadata, tensors()));
}

export function obstacleIn(metadata: Metadata, tensors: readonly TensorInfo[]): string | undefined {
  const architecture = String(metadata.get('general.architecture') ?? '');
  if (refusalReason(architecture) !== undefined) return whyNotUsable(architecture);
  if (!isKnownArchitecture(architecture))
    return (
      `the llama.cpp of this askd (${LLAMA_CPP_RELEASE}) does not know the architecture "${architecture}" under this ` +
      `name; a newer askd may, and ${OTHER_BUILDS} other models and builds`
    );
  const encoder = tensors.find(({ name }) => ENCODER_TENSOR.test(name));
  if (!encoder) return undefined;
  return `its image encoder is inside the weights, which only Ollama's own engine loads; ${OTHER_BUILDS} a build that does`;
}

/** llama.cpp may end its process over such a file, which would explain nothing. */
export function refuseToLoad({ engine, path }: Pick<ModelManifest, 'engine' | 'path'>): void {
  if (engine !== 'llama' && engine !== 'vision') return;
  const obstacle = orUnread(() => ggufObstacle(path));
  if (obstacle !== undefined)
    throw new Failure('invalid_model_file', `${path} cannot be loaded: ${obstacle}.`);
}

/** The engine reports what is wrong with a file that cannot be read. */
function orUnread(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
