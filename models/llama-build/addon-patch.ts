import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../src/base/errors.ts';

type Edit = { from: string; to: string };

const FILE = join('addon', 'AddonContext.cpp');

/**
 * node-llama-cpp returns the vector of a decode's first sequence only. With these edits it returns that of any, under
 * a second name, by which a build that has them is recognized. The sequences share the cells of the context, so that
 * each needs no context of its own.
 */
const EDITS: readonly Edit[] = [
  {
    from: 'context_params.embeddings = options.Get("embeddings").As<Napi::Boolean>().Value();',
    to: `context_params.embeddings = options.Get("embeddings").As<Napi::Boolean>().Value();
            context_params.kv_unified = context_params.embeddings;`,
  },
  {
    from: 'LLAMA_POOLING_TYPE_NONE ? NULL : llama_get_embeddings_seq(ctx, 0);',
    to: `LLAMA_POOLING_TYPE_NONE ? NULL : llama_get_embeddings_seq(ctx, sequenceId);`,
  },
  {
    from: `    if (embeddings == NULL) {
        embeddings = llama_get_embeddings_ith(ctx, -1);`,
    to: `    if (embeddings == NULL && sequenceId == 0) {
        embeddings = llama_get_embeddings_ith(ctx, -1);`,
  },
  {
    from: `    int32_t inputTokensLength = info[0].As<Napi::Number>().Int32Value();
    const double maxVectorSize`,
    to: `    int32_t inputTokensLength = info[0].As<Napi::Number>().Int32Value();
    const llama_seq_id sequenceId = info.Length() > 2 ? info[2].As<Napi::Number>().Int32Value() : 0;
    const double maxVectorSize`,
  },
  {
    from: 'InstanceMethod("getEmbedding", &AddonContext::GetEmbedding),',
    to: `InstanceMethod("getEmbedding", &AddonContext::GetEmbedding),
                InstanceMethod("getSequenceEmbedding", &AddonContext::GetEmbedding),`,
  },
];

/** Edits the copy of the sources in this folder. One that has the edits is not written again, nor compiled again. */
export function patchAddon(folder: string): void {
  const file = join(folder, FILE);
  const source = readFileSync(file, 'utf8');
  const edited = EDITS.reduce(applyEdit, source);
  if (edited !== source) writeFileSync(file, edited);
}

function applyEdit(source: string, { from, to }: Edit): string {
  if (source.includes(to)) return source;
  const parts = source.split(from);
  if (parts.length === 2) return parts.join(to);
  throw new Failure(
    'model_load_failed',
    `${FILE} of node-llama-cpp is not as askd expects it: it has ${parts.length - 1} times "${from.trim()}".`,
  );
}
