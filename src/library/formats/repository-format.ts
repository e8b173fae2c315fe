export type RepositoryFormat = 'gguf' | 'onnx' | 'safetensors' | 'other';

type File = { path: string; bytes: number | undefined };

/** Formats of other programs, by their file names. */
const OTHERS: readonly (readonly [name: string, files: RegExp])[] = [
  ['PyTorch', /\.(bin|pt|pth|ckpt)$/i],
  ['Flax', /\.msgpack$/i],
  ['TensorFlow', /\.h5$|saved_model\.pb$/i],
  ['LiteRT', /\.(tflite|task|litertlm)$/i],
  ['Core ML', /\.(mlmodel|mlpackage)(\/|$)/i],
];

export type RepositoryWeights = {
  format: Exclude<RepositoryFormat, 'gguf'>;
  /** The name that its authors use; empty if there are no weights. */
  name: string;
  files: readonly File[];
};

/** The weights of a repository without GGUF files, in the format that is closest to what askd runs. */
export function weightsOf(files: readonly File[]): RepositoryWeights {
  const named = (pattern: RegExp) => files.filter(({ path }) => pattern.test(path));
  const onnx = named(/\.onnx$/i);
  if (onnx.length > 0) return { format: 'onnx', name: 'ONNX', files: named(/\.onnx(_data(_\d+)?)?$/i) };
  const safetensors = named(/\.safetensors$/i);
  if (safetensors.length > 0) {
    // Some repositories contain the same weights twice, the second time under their authors' own names.
    const usual = safetensors.filter(({ path }) => /^model([-.]|$)/.test(path));
    const chosen = usual.length > 0 ? usual : safetensors;
    return { format: 'safetensors', name: 'safetensors', files: chosen };
  }
  const [name = '', pattern] = OTHERS.find(([, each]) => named(each).length > 0) ?? [];
  return { format: 'other', name, files: pattern ? named(pattern) : [] };
}
