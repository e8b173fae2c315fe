import { Failure } from '../../base/errors.ts';
import { readGguf, type TensorInfo } from '../formats/gguf-reader.ts';
import { shardsOf } from '../formats/shards.ts';

type Adapter = { architecture: string; pairs: { tensor: string; columns: number; rows: number }[] };

const CONVERT = 'llama.cpp converts one: convert_lora_to_gguf.py';

/** Checks that a file is an adapter, and was made for these weights. */
export function checkAdapter({ path, base }: { path: string; base: { id: string; path: string } }): void {
  const adapter = readAdapter(path);
  const { architecture, tensors } = readBase(base.path);
  const unfit = (why: string) =>
    new Failure('model_capability_mismatch', `The adapter ${path} was not made for "${base.id}": ${why}.`, {
      param: 'base',
    });
  if (adapter.architecture !== architecture)
    throw unfit(`it is for a ${adapter.architecture} model, and this is a ${architecture} model`);
  for (const { tensor, columns, rows } of adapter.pairs) {
    const dims = tensors.get(tensor);
    if (!dims) throw unfit(`it changes ${tensor}, which this model does not have`);
    const [ownColumns = 0, ownRows = 1] = dims;
    if (columns !== ownColumns || rows !== ownRows)
      throw unfit(`its ${tensor} is ${columns} × ${rows}, and this model's is ${ownColumns} × ${ownRows}`);
  }
}

function readAdapter(path: string): Adapter {
  if (!/\.gguf$/i.test(path)) throw notAnAdapter(path, `it must be a GGUF file; ${CONVERT}`);
  return readGguf(path, (metadata, tensors) => {
    if (metadata.get('general.type') !== 'adapter' || metadata.get('adapter.type') !== 'lora')
      throw notAnAdapter(path, 'its header names no adapter of the type lora');
    if (metadata.has('adapter.alora.invocation_tokens.length'))
      throw notAnAdapter(path, 'it is an activated LoRA, which askd does not support');
    const pairs = pairsOf(tensors(), path);
    if (pairs.length === 0) throw notAnAdapter(path, 'it has no weights');
    return { architecture: String(metadata.get('general.architecture')), pairs };
  });
}

/** `NAME.lora_a` has the columns of the matrix, `NAME.lora_b` its rows. */
function pairsOf(tensors: readonly TensorInfo[], path: string): Adapter['pairs'] {
  const byName = new Map(tensors.map(({ name, dims }) => [name, dims]));
  return [...byName].flatMap(([name, a]) => {
    if (!name.endsWith('.lora_a')) return [];
    const tensor = name.slice(0, -'.lora_a'.length);
    const b = byName.get(`${tensor}.lora_b`);
    if (!b || a[1] !== b[0]) throw notAnAdapter(path, `its matrices for ${tensor} do not fit together`);
    // For the embedding table, the first one is transposed.
    const columns = tensor === 'token_embd.weight' ? (b[1] ?? 0) : (a[0] ?? 0);
    const rows = tensor === 'token_embd.weight' ? (a[0] ?? 0) : (b[1] ?? 0);
    return [{ tensor, columns, rows }];
  });
}

function readBase(path: string) {
  const tensors = new Map<string, readonly number[]>();
  let architecture = '';
  for (const shard of shardsOf(path)) {
    readGguf(shard, (metadata, list) => {
      architecture ||= String(metadata.get('general.architecture') ?? '');
      for (const { name, dims } of list()) tensors.set(name, dims);
    });
  }
  return { architecture, tensors };
}

function notAnAdapter(path: string, why: string): Failure {
  return new Failure('invalid_model_file', `${path} is not a usable adapter: ${why}.`, { param: 'path' });
}
