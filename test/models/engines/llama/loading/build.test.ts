import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LlamaLogLevel } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { loadBuild, prebuiltFolder } from '../../../../../models/engines/llama/loading/build.ts';
import { LLAMA_ADDON } from '../../../../../src/config/llama-build.ts';

describe.runIf(process.platform === 'linux')('the build that comes with the library', () => {
  const folder = prebuiltFolder() ?? '';

  it("is found in the library's place", () => {
    expect(existsSync(join(folder, LLAMA_ADDON))).toBe(true);
  });

  it('computes with the processor', async () => {
    const llama = await loadBuild(folder, { logLevel: LlamaLogLevel.error, logger: () => undefined });
    expect(llama.gpu).toBe(false);
    expect(llama.cpuMathCores).toBeGreaterThan(0);
    await llama.dispose();
  });
});
