import { join } from 'node:path';
import { expect, test } from 'vitest';
import { llama } from '../../../../../models/engines/llama.ts';
import { randomModelParts } from '../../../../../scripts/fixtures/random-model.ts';
import { writeGguf } from '../../../../../src/gguf/gguf.ts';
import { temporaryFolder } from '../../../../helpers/temporary.ts';
import { load } from '../../../engine-contract.ts';

test('a file without one of its tensors fails with the name of the tensor, each time', async () => {
  const file = join(temporaryFolder(), 'incomplete.gguf');
  const { metadata, tensors } = randomModelParts({ architecture: 'llama' });
  const kept = tensors.filter(({ name }) => name !== 'blk.1.attn_v.weight');
  await writeGguf(file, metadata, kept);
  const reasons: string[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    await load(llama, file).catch((error: unknown) => reasons.push(String(error)));
  }
  expect(reasons).toHaveLength(8);
  expect(reasons.filter((reason) => !reason.includes("missing tensor 'blk.1.attn_v.weight'"))).toEqual([]);
});
