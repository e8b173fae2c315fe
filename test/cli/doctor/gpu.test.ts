import { describe, expect, test } from 'vitest';
import { hasSoftwareVulkan, NO_SOFTWARE_VULKAN } from '../../helpers/models/devices.ts';
import { runCli } from '../../helpers/terminal/cli.ts';

type Check = {
  verdict: string;
  summary: string;
  cards: { name: string; backend: string; rows: { name: string; status: string; message: string }[] }[];
  not_checked: { name: string }[];
};

/** This machine may have a card; this makes its driver show none. */
const WITHOUT_CARD = { CUDA_VISIBLE_DEVICES: '', GGML_VK_VISIBLE_DEVICES: '' };
const hasNoMetal = process.platform !== 'darwin';

describe.runIf(hasNoMetal)('without a card', { timeout: 200_000 }, () => {
  test('doctor --gpu says why there is none and how to get one, and exits with 5', async () => {
    const { code, stdout } = await runCli(['doctor', '--gpu', '--json'], { env: without() });
    expect(code).toBe(5);
    const check = JSON.parse(stdout) as Check;
    expect(check).toMatchObject({ schema: 'gpu_check/1', verdict: 'none', cards: [] });
    expect(check.summary).toContain('The engine finds no graphics card to use: ');
    expect(check.summary).toContain('install its driver');
  });

  test('naming a missing card is a usage error', async () => {
    const { code, stderr } = await runCli(['doctor', '--gpu', '--devices', 'rtx 9090'], { env: without() });
    expect(code).toBe(2);
    expect(stderr).toContain('no graphics card that the engine can use');
  });
});

/** The processor that presents itself as a card takes minutes to compile a card's kernels. */
describe.runIf(hasSoftwareVulkan)('on a card of Mesa', { timeout: 1_800_000 }, () => {
  test('it computes the same as the processor, its speed is measured, and a killed runner fails one request', async () => {
    const args = ['doctor', '--gpu', '--devices', 'llvmpipe', '--layers', '1'];
    const { code, stdout, stderr } = await runCli(args, { env: { ...process.env } });
    expect(stderr).toContain('llvmpipe');
    expect(stdout).toMatch(/vulkan llvmpipe .* works/);
    expect(code).toBe(0);
    for (const row of [
      /card +ok +vulkan llvmpipe/,
      /load +ok +5 of 5 layers on the card/,
      /answers +(ok|weak) +\d+ (of \d+ )?tokens as on the processor/,
      /prefill +ok +[\d.,]+ tokens\/s/,
      /decode, 1 stream +(ok|weak) /,
      /decode, 8 streams +(ok|weak|-) /,
      /decode, 32 streams +(ok|weak|-) /,
      /two cards +- +there is no second card/,
      /killed runner +ok +its request fails with runner_crashed/,
      /out of memory +- +the card shares the memory of the machine/,
      /^(good|weak): /m,
    ])
      expect(stdout).toMatch(row);
  });
});

test.skipIf(hasSoftwareVulkan)(`the check of a card is not tested: ${NO_SOFTWARE_VULKAN}`, ({ skip }) =>
  skip(),
);

const without = () => ({ ...process.env, ...WITHOUT_CARD });
