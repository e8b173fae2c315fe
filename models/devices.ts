import { getLlama, getLlamaGpuTypes, LlamaLogLevel } from 'node-llama-cpp';

/** A child process of `askd doctor` and of the daemon: which devices the native libraries find, and why not others. */
export type DeviceReport = { backends: BackendReport[] };

export type BackendReport = {
  name: string;
  works: boolean;
  devices: string[];
  /** For all these devices together. */
  memory?: { total: number; free: number; isShared: boolean };
  reason?: string;
};

const BACKENDS = ['cpu', 'cuda', 'vulkan', 'metal'] as const;

const [only] = process.argv.slice(2);
const report = await look(BACKENDS.filter((name) => only === undefined || name === only));
process.stdout.write(`${JSON.stringify(report)}\n`);

async function look(names: readonly (typeof BACKENDS)[number][]): Promise<DeviceReport> {
  const options = {
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.disabled,
  } as const;
  const supported = await getLlamaGpuTypes('supported');
  const backends: BackendReport[] = [];
  for (const name of names) {
    const nothing = { name, works: false, devices: [] };
    if (name !== 'cpu' && !supported.includes(name)) {
      backends.push({ ...nothing, reason: 'no driver, or no such device' });
      continue;
    }
    try {
      const llama = await getLlama({ ...options, gpu: name === 'cpu' ? false : name });
      const devices = name === 'cpu' ? [] : await llama.getGpuDeviceNames();
      const { total, free, unifiedSize } = await llama.getVramState();
      const memory = { total, free, isShared: unifiedSize > 0 };
      backends.push({ name, works: true, devices, ...(devices.length > 0 && { memory }) });
      await llama.dispose();
    } catch (error) {
      backends.push({ ...nothing, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { backends };
}
