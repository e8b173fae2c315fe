import { getLlama, LlamaLogLevel, type Llama } from 'node-llama-cpp';
import { Failure } from '../../../src/errors.ts';

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
  try {
    const llama = await start(complaints);
    return { llama, takeComplaints: () => complaints.splice(0) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('model_load_failed', `llama.cpp does not run on this machine: ${reason}`, { cause });
  }
}

function start(complaints: string[]): Promise<Llama> {
  return getLlama({
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
}

export async function describeDevice(llama: Llama, gpuLayers: number): Promise<string> {
  if (llama.gpu === false || gpuLayers === 0) return 'cpu';
  return [llama.gpu, ...(await llama.getGpuDeviceNames())].join(' ');
}
