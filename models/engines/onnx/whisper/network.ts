import type { Tensor } from '@huggingface/transformers';
import { loadOptions } from '../folder.ts';
import type { OnnxParts } from '../embedder.ts';

/** The model processes 30 seconds; shorter audio is padded with silence. */
const FRAMES = 3000;
const FRAME_SAMPLES = 160;
/** Samples that a frame covers on either side. */
const REACH_SAMPLES = 400;
/** The feature value of silence, and the dynamic range below the loudest value. */
const SILENCE = -1.5;
const RANGE = 2;

type Values = Record<string, Tensor>;
type Forward = (inputs: Record<string, unknown>) => Promise<Values>;
type Extract = (
  samples: Float32Array,
  options: { max_length: number },
) => Promise<{ input_features: Tensor }>;

/** The encoder's output of one window, and the decoder's cache. */
export type DecoderState = { hidden: Tensor; cache: Values | undefined };
export type Step = {
  /** The logits after each token. */
  logits: Float32Array;
  vocabulary: number;
  /** The cross-attention of each layer: by head, token and position. */
  attentions: readonly Tensor[];
};

export type WhisperNetwork = Awaited<ReturnType<typeof openNetwork>>;

/** Whisper's two networks: the encoder runs once, the decoder for each token. */
export async function openNetwork({ library, folder, threads }: OnnxParts) {
  const names = ['encoder_model', 'decoder_model_merged'] as const;
  const precisions = Object.fromEntries(names.map((name) => [name, folder.precisionOf(name)]));
  const options = loadOptions(precisions, threads);
  const model = await library.WhisperForConditionalGeneration.from_pretrained(folder.path, options);
  const extractor = await library.AutoFeatureExtractor.from_pretrained(folder.path, {
    local_files_only: true,
  });
  const { model: encoder, decoder_model_merged: decoder } = model.sessions as Record<string, OrtSession>;
  if (!encoder || !decoder) throw new Error('its files are not a Whisper model');
  const forward: Forward = (inputs) => model.forward(inputs) as Promise<Values>;
  const extract = extractor as unknown as Extract;
  const attentionNames = decoder.outputNames.filter((name) => name.startsWith('cross_attentions'));

  return {
    /** Whether its files expose the cross-attention, from which word timestamps are derived. */
    showsAttention: attentionNames.length > 0,
    async encode(samples: Float32Array): Promise<DecoderState> {
      const { input_features: own } = await extract(samples, { max_length: lengthFor(samples.length) });
      const [, bands = 0, frames = 0] = own.dims;
      const values = withSilence(own.data as Float32Array, { bands, frames });
      const features = new library.Tensor('float32', values, [1, bands, FRAMES]);
      const outputs = await encoder.run({ input_features: features.ort_tensor });
      const hidden = new library.Tensor(outputs['last_hidden_state'] as never);
      return { hidden, cache: undefined };
    },
    async decode(listening: DecoderState, tokens: readonly number[]): Promise<Step> {
      const ids = new library.Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]);
      const { hidden, cache } = listening;
      const outputs = await forward({
        encoder_outputs: hidden,
        decoder_input_ids: ids,
        ...(cache && { past_key_values: cache }),
      });
      listening.cache = nextCache(outputs, cache);
      const logits = outputs['logits'] as Tensor;
      return {
        logits: logits.data as Float32Array,
        vocabulary: logits.dims.at(-1) ?? 0,
        attentions: attentionNames.map((name) => outputs[name] as Tensor),
      };
    },
    dispose: () => model.dispose(),
  };
}

/** onnxruntime's own, which the library does not type. */
type OrtSession = {
  outputNames: readonly string[];
  run(feeds: Record<string, unknown>): Promise<Record<string, unknown>>;
};

/** The cross-attention cache is computed once, at the first step. */
function nextCache(outputs: Values, cache: Values | undefined): Values {
  const next: Values = {};
  for (const [name, value] of Object.entries(outputs)) {
    if (!name.startsWith('present.')) continue;
    const key = name.replace('present.', 'past_key_values.');
    next[key] = name.includes('.encoder.') && cache?.[key] ? cache[key] : value;
  }
  return next;
}

/** Whole frames, and padding as far as the last of them reaches. */
function lengthFor(samples: number): number {
  const frames = Math.ceil((samples + REACH_SAMPLES) / FRAME_SAMPLES);
  return Math.min(FRAMES, frames) * FRAME_SAMPLES;
}

/** The features of the padding are known and need not be computed. */
function withSilence(
  values: Float32Array,
  { bands, frames }: { bands: number; frames: number },
): Float32Array {
  if (frames === FRAMES) return values;
  let loudest = -Infinity;
  for (const value of values) loudest = Math.max(loudest, value);
  const all = new Float32Array(bands * FRAMES).fill(Math.max(SILENCE, loudest - RANGE));
  for (let band = 0; band < bands; band++) {
    all.set(values.subarray(band * frames, (band + 1) * frames), band * FRAMES);
  }
  return all;
}
