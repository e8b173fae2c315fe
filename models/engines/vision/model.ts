import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { readGgufFileInfo } from 'node-llama-cpp';
import { Failure } from '../../../src/base/errors.ts';
import type { Devices, LoadOptions, SessionDescription } from '../../../src/runtime/engine.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import type { Context, Library } from './library.ts';

export type VisionModel = {
  context: Context;
  facts: ModelFacts;
  description: SessionDescription;
};

/** What the library does not report about the file. */
export type ModelFacts = {
  /** Includes its chat templates. */
  tokenizer: Readonly<Record<string, unknown>>;
  bosToken: string;
  eosToken: string;
  /** The library adds the BOS token to every prompt. */
  addsBos: boolean;
  /** Texts that the library parses as control tokens, which only the template may write. */
  controlTexts: string[];
};

type Opening = { library: Library; manifest: ModelManifest; options: LoadOptions; signal: AbortSignal };

const WEIGHTS_SHARE_OF_LOAD = 0.8;
const ALL_LAYERS = 999;
/** Token types in the file. */
const UNKNOWN = 2;
const CONTROL = 3;

export async function openModel({ library, manifest, options, signal }: Opening): Promise<VisionModel> {
  const { path, files = {} } = manifest;
  const projector = files['projector'];
  if (projector !== undefined) await readFile(projector);
  const { facts, contextTokensMax } = factsOf(await readFile(path));
  const contextTokens = Math.min(options.contextTokens, contextTokensMax);
  const threads = options.threads ?? availableParallelism();
  const { gpuLayers = ALL_LAYERS, projectorOn } = manifest.placement ?? {};
  const variant = await bestVariant(library, options.devices?.backend);
  options.onProgress?.(0);
  signal.throwIfAborted();
  const context = await library
    .loadModel(
      {
        model: path,
        n_ctx: contextTokens * options.slots,
        n_parallel: options.slots,
        n_threads: threads,
        n_gpu_layers: variant.hasGpu ? gpuLayers : 0,
        ctx_shift: false,
        kv_unified: false,
        lib_variant: variant.name,
      },
      (percent) => options.onProgress?.((percent / 100) * WEIGHTS_SHARE_OF_LOAD),
    )
    .catch((cause: unknown) => {
      throw new Failure('invalid_model_file', `${path} cannot be loaded: ${String(cause)}`, { cause });
    });
  try {
    signal.throwIfAborted();
    if (projector !== undefined) {
      openProjector(context, projector, variant.hasGpu && projectorOn !== 'cpu');
    }
  } catch (error) {
    await context.release();
    throw error;
  }
  return {
    context,
    facts,
    description: {
      slots: options.slots,
      contextTokens,
      threads,
      device: variant.hasGpu ? variant.label : 'cpu',
      memory: { ram: process.memoryUsage.rss(), vram: 0 },
    },
  };
}

function openProjector(context: Context, path: string, useGpu: boolean): void {
  const isOpen = context.initMultimodal({ path, use_gpu: useGpu });
  if (isOpen && context.getMultimodalSupport().vision) return;
  throw new Failure('invalid_model_file', `${path} is not a projector for this model.`);
}

type Variant = { name: 'default' | 'vulkan' | 'cuda'; label: string; hasGpu: boolean };

/**
 * The build for a graphics card if one is installed and finds a card; otherwise the plain one, which uses Metal on a
 * Mac.
 */
async function bestVariant(library: Library, wanted?: Devices['backend']): Promise<Variant> {
  const plain: Variant = { name: 'default', label: 'cpu', hasGpu: false };
  if (wanted === 'cpu') return plain;
  for (const name of ['cuda', 'vulkan', 'default'] as const) {
    const isOther = wanted !== undefined && wanted !== (name === 'default' ? 'metal' : name);
    if (isOther || !(await library.isLibVariantAvailable(name))) continue;
    const devices = await library.getBackendDevicesInfo(name);
    const gpu = devices.find(({ type }) => type === 'gpu');
    if (gpu) return { name, label: gpu.backend.toLowerCase(), hasGpu: true };
  }
  if (wanted === undefined) return plain;
  throw new Failure('model_load_failed', `The vision engine finds no graphics card for ${wanted}.`, {
    details: { fix: 'askd engines list' },
  });
}

type GgufFile = Awaited<ReturnType<typeof readGgufFileInfo>>;

/** The library crashes on a file that it cannot load, so broken files are detected first. */
async function readFile(path: string): Promise<GgufFile> {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) throw new Failure('model_load_failed', `${path} does not exist.`);
  const file = await readGgufFileInfo(path, { logWarnings: false, sourceType: 'filesystem' }).catch(
    (cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Failure('invalid_model_file', `${path} is not a readable model: ${reason}`, { cause });
    },
  );
  const starts = (file.fullTensorInfo ?? []).map(({ fileOffset }) => Number(fileOffset));
  if (starts.every((start) => start < bytes)) return file;
  throw new Failure('invalid_model_file', `${path} is truncated: it should be larger than ${bytes} bytes.`);
}

function factsOf({ metadata, architectureMetadata }: GgufFile): {
  facts: ModelFacts;
  contextTokensMax: number;
} {
  const { ggml } = metadata.tokenizer;
  const textOf = (token: number | undefined) => (token === undefined ? '' : (ggml.tokens[token] ?? ''));
  const isControl = (token: number) => [UNKNOWN, CONTROL].includes(ggml.token_type?.[token] ?? 0);
  return {
    facts: {
      tokenizer: metadata.tokenizer,
      bosToken: textOf(ggml.bos_token_id),
      eosToken: textOf(ggml.eos_token_id),
      addsBos: ggml.add_bos_token ?? false,
      controlTexts: ggml.tokens.filter((_, token) => isControl(token)),
    },
    contextTokensMax: architectureMetadata.context_length ?? Number.MAX_SAFE_INTEGER,
  };
}
