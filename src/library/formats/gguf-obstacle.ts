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
      `the llama.cpp of this askd (${LLAMA_CPP_RELEASE}) does not know the architecture "${architecture}"; ` +
      `a newer askd may, and ${OTHER_BUILDS} other models and builds`
    );
  const heads = headObstacle(architecture, metadata);
  if (heads !== undefined) return heads;
  const encoder = tensors.find(({ name }) => ENCODER_TENSOR.test(name));
  if (!encoder) return undefined;
  return `its image encoder is inside the weights, which only Ollama's own engine loads; ${OTHER_BUILDS} a build that does`;
}

const RWKV7_HEAD_WIDTH = 64;

export function isRwkv7(architecture: string): boolean {
  return architecture === 'rwkv7' || architecture === 'arwkv7';
}

/**
 * llama.cpp updates the state of RWKV-7 in steps of 64 numbers on processors with AVX-512, 32 on other x86 and 16 on
 * most ARM. If the head size is not a multiple of the step, it runs into the next head, and only the answers show it.
 * Graphics cards expect 64 or 128.
 */
function headObstacle(architecture: string, metadata: Metadata): string | undefined {
  const width = metadata.get(`${architecture}.wkv.head_size`);
  if (!isRwkv7(architecture) || width === undefined) return undefined;
  if (Number(width) % RWKV7_HEAD_WIDTH === 0) return undefined;
  return (
    `its heads are ${width} wide, and llama.cpp computes RWKV-7 correctly on every processor only with those of ` +
    `${RWKV7_HEAD_WIDTH} or a multiple of it; ${OTHER_BUILDS} other models`
  );
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
