import { getLlama, LlamaLogLevel, type Llama } from 'node-llama-cpp';

/** llama.cpp says why it refuses a file only in its log. */
const COMPLAINTS_MAX = 20;

export type Backend = {
  llama: Llama;
  /** Takes what llama.cpp complained about since the last call. */
  takeComplaints(): string[];
};

let opened: Promise<Backend> | undefined;

/** The native library, once a process. */
export function openBackend(): Promise<Backend> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Backend> {
  const complaints: string[] = [];
  const llama = await getLlama({
    gpu: 'auto',
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    logger: (_, message) => {
      complaints.push(message.trim());
      if (complaints.length > COMPLAINTS_MAX) complaints.shift();
    },
  });
  return { llama, takeComplaints: () => complaints.splice(0) };
}

export async function describeDevice(llama: Llama, gpuLayers: number): Promise<string> {
  if (llama.gpu === false || gpuLayers === 0) return 'cpu';
  return [llama.gpu, ...(await llama.getGpuDeviceNames())].join(' ');
}
