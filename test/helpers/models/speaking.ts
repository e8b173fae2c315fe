import { decodeFile } from '../../../models/audio/decode.ts';
import { findContainer } from '../../../src/audio/containers.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeToneSynthesizer } from '../../../scripts/fixtures/audio/tone-synthesizer.ts';
import { makeOnce } from './models.ts';
import { temporaryFolder } from '../temporary.ts';

/** A Kokoro model that speaks the language of tones. */
export async function toneSynthesizer() {
  return { path: await makeOnce('tone-speaker', {}, (folder) => writeToneSynthesizer(folder)) };
}

/** All samples of a file, as one channel at a rate. */
export async function decoded(bytes: Buffer, rate = 24_000): Promise<Float32Array> {
  const path = join(temporaryFolder(), 'sound');
  writeFileSync(path, bytes);
  const parts: number[] = [];
  for await (const block of decodeFile({ path, container: findContainer(bytes), rate })) parts.push(...block);
  return Float32Array.from(parts);
}

/** The share of an answer's time that has passed when its first bytes arrive. */
export async function shareBeforeFirstBytes(ask: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now();
  const reader = (await ask()).body?.getReader();
  await reader?.read();
  const firstMs = performance.now() - startedAt;
  while (!(await reader?.read())?.done);
  return firstMs / (performance.now() - startedAt);
}
