import {
  getLlama,
  getLlamaGpuTypes,
  LlamaLogLevel,
  type Llama,
  type LlamaModel,
  type LlamaOptions,
} from 'node-llama-cpp';
import { loadBuild, prebuiltFolder } from './build.ts';
import { Failure } from '../../../../src/base/errors.ts';
import { mayHaveCard } from '../../../../src/config/graphics-cards.ts';
import type { Devices, SessionDescription } from '../../../../src/runtime/engine.ts';

/** llama.cpp reports why it rejects a file only in its log. */
const COMPLAINTS_MAX = 20;

/** A build compiled on this machine. If it does not load it is skipped, unless it is required. */
export type LocalBuild = { folder: string; isRequired?: boolean };

export type Backend = {
  llama: Llama;
  build: 'prebuilt' | 'local';
  /** Returns what llama.cpp complained about since the last call. */
  takeComplaints(): string[];
};

let opened: Promise<Backend> | undefined;
let deviceless: Llama['gpu'] | undefined;

/** The native library, once per process. */
export function openBackend(local?: LocalBuild, wanted?: Devices['backend']): Promise<Backend> {
  opened ??= open(local, wanted);
  return opened;
}

async function open(local: LocalBuild | undefined, wanted?: Devices['backend']): Promise<Backend> {
  const complaints: string[] = [];
  const takeComplaints = () => complaints.splice(0);
  try {
    const own = local && (await startLocal(local, complaints, wanted));
    if (own) return { llama: own, build: 'local', takeComplaints };
    return { llama: await start(complaints, wanted), build: 'prebuilt', takeComplaints };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('model_load_failed', `llama.cpp does not run on this machine: ${reason}`, { cause });
  }
}

/** A software driver such as Mesa's is detected like a card, but has no device to offer. */
async function start(complaints: string[], wanted: Devices['backend'] | undefined): Promise<Llama> {
  if (wanted !== undefined && wanted !== 'cpu') return load(wanted, complaints);
  const isOnProcessor = wanted === 'cpu' || !mayHaveCard();
  const folder = isOnProcessor ? prebuiltFolder() : undefined;
  if (folder !== undefined) return loadBuild(folder, logTo(complaints));
  if (wanted === 'cpu') return load(false, complaints);
  const llama = await load(mayHaveCard() ? 'auto' : { type: 'auto', exclude: ['vulkan'] }, complaints);
  if (llama.gpu === false || (await llama.getGpuDeviceNames()).length > 0) return llama;
  deviceless = llama.gpu;
  await llama.dispose();
  return load(false, complaints);
}

async function startLocal(
  { folder, isRequired = false }: LocalBuild,
  complaints: string[],
  wanted: Devices['backend'] | undefined,
): Promise<Llama | undefined> {
  try {
    const llama = await loadBuild(folder, logTo(complaints));
    const isWanted = wanted === undefined || wanted === (llama.gpu || 'cpu');
    const isUsable = llama.gpu === false || (await llama.getGpuDeviceNames()).length > 0;
    if (isRequired || (isWanted && isUsable)) return llama;
    await llama.dispose();
  } catch (error) {
    if (isRequired) throw error;
    console.error(`The engine in ${folder} does not load; using the prebuilt one: ${String(error)}`);
  }
  return undefined;
}

function load(gpu: LlamaOptions['gpu'], complaints: string[]): Promise<Llama> {
  return getLlama({ gpu, build: 'never', skipDownload: true, progressLogs: false, ...logTo(complaints) });
}

function logTo(complaints: string[]) {
  return {
    logLevel: LlamaLogLevel.error,
    logger: (_level: LlamaLogLevel, message: string) => {
      complaints.push(message.trim());
      if (complaints.length > COMPLAINTS_MAX) complaints.shift();
    },
  };
}

export type Device = Pick<SessionDescription, 'device' | 'fallback' | 'graphics' | 'layers'>;

/** Where a model runs, and why that is the CPU when a card could have been expected. */
export async function describeDevice(
  { llama, gpuLayers, fileInsights }: Pick<LlamaModel, 'llama' | 'gpuLayers' | 'fileInsights'>,
  wanted?: Devices,
): Promise<Device> {
  if (llama.gpu === false) return { device: 'cpu', ...(wanted ? {} : await explainNoCard()) };
  const devices = await llama.getGpuDeviceNames();
  // A driver's library can be installed on a machine without a card for it.
  if (devices.length === 0) return { device: 'cpu' };
  const { total, unifiedSize } = await llama.getVramState();
  const graphics = { kind: llama.gpu, devices, totalBytes: total, isShared: unifiedSize > 0 };
  const card = [llama.gpu, ...devices].join(' ');
  const layers = { onCards: gpuLayers, all: fileInsights.totalLayers };
  if (gpuLayers === 0)
    return { device: 'cpu', fallback: `${card} has too little memory for a single layer`, graphics, layers };
  return { device: card, graphics, layers };
}

/** A card that is present but does not work is worth a message; a machine without one is not. */
async function explainNoCard(): Promise<{ fallback?: string }> {
  const kinds = (await getLlamaGpuTypes('supported')).filter((kind) => kind !== false);
  const broken = kinds.filter((kind) => kind !== deviceless && (kind !== 'vulkan' || mayHaveCard()));
  return broken.length === 0 ? {} : { fallback: `${broken.join(' and ')} is present but could not be used` };
}
