/** A child process of `askd doctor`: which devices the native libraries find, and why not the others. */
export type DeviceReport = {
  backends: { name: string; works: boolean; devices: string[]; reason?: string }[];
};

const BACKENDS = ['cuda', 'vulkan', 'metal'] as const;

const report = await look();
process.stdout.write(`${JSON.stringify(report)}\n`);

async function look(): Promise<DeviceReport> {
  const { getLlama, getLlamaGpuTypes, LlamaLogLevel } = await import('node-llama-cpp');
  const options = {
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.disabled,
  } as const;
  const supported = await getLlamaGpuTypes('supported');
  const backends: DeviceReport['backends'] = [];
  for (const gpu of [false, ...BACKENDS] as const) {
    const name = gpu === false ? 'cpu' : gpu;
    if (gpu !== false && !supported.includes(gpu)) {
      backends.push({
        name,
        works: false,
        devices: [],
        reason: 'no driver, or no such device',
      });
      continue;
    }
    try {
      const llama = await getLlama({ ...options, gpu });
      backends.push({ name, works: true, devices: gpu === false ? [] : await llama.getGpuDeviceNames() });
      await llama.dispose();
    } catch (error) {
      backends.push({
        name,
        works: false,
        devices: [],
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return { backends };
}
