import { availableParallelism } from 'node:os';
import { anySignal } from '../../src/base/any-signal.ts';
import { Failure } from '../../src/base/errors.ts';
import type { DrawEvent, DrawRequest, Engine, LoadOptions, Session } from '../../src/runtime/engine.ts';
import type { DrawingFacts, ModelManifest } from '../../src/runtime/manifest.ts';
import { findPlace } from './diffusion/bare.ts';
import { readDevice, readVramBytes } from './diffusion/device.ts';
import { draftSteps } from './diffusion/partial-images.ts';
import { finish } from './diffusion/encode-image.ts';
import type { Order } from './diffusion/messages.ts';
import { startImageGenerator, type ImageGenerator } from './diffusion/generator-process.ts';
import { drawnSize, pixelsOf } from './diffusion/size.ts';
import { createEventQueue } from './event-queue.ts';
import { guardMethods } from './guard.ts';

/** Image models, by stable-diffusion.cpp, one image at a time, in a child process of this one. */
export const diffusion: Engine = { name: 'diffusion', load };

/** The library's names for the files of a manifest. */
const FILES: Record<string, string> = {
  'text-encoder': 'llm',
  decoder: 'vae',
  'clip-l': 'clipL',
  'clip-g': 'clipG',
  t5: 't5Xxl',
};
/** Larger images are decoded in tiles. */
const UNTILED_PIXELS_MAX = 768 * 768;
/** Measured memory for decoding a pixel. */
const WORK_BYTES_PER_PIXEL = 2800;
const LARGEST = { width: 1792, height: 1024 };

async function load(manifest: ModelManifest, options: LoadOptions, signal: AbortSignal): Promise<Session> {
  const { id, drawing } = manifest;
  if (!drawing)
    throw new Failure(
      'invalid_model_file',
      `The manifest of "${id}" lacks "drawing", the settings of its sampler.`,
    );
  const place = findPlace(options.modules);
  const threads = options.threads ?? availableParallelism();
  const open = (stop: AbortSignal) =>
    startImageGenerator({ place, load: { files: filesOf(manifest), threads }, name: id, signal: stop });
  let generator: ImageGenerator = await open(signal);
  const closing = new AbortController();
  const words = generator.words();
  const draw = oneAtATime(async function* (request: DrawRequest, stop: AbortSignal) {
    const ended = anySignal(stop, closing.signal);
    if (!generator.alive) generator = await open(ended);
    yield* generate(generator, { request, drawing }, ended);
  });
  return {
    description: {
      slots: 1,
      contextTokens: options.contextTokens,
      threads,
      ...readDevice(words),
      memory: memoryOf(generator, { drawing, vram: readVramBytes(words) }),
    },
    ...guardMethods({ draw }, () => !closing.signal.aborted),
    helperMemoryBytes: () => generator.memoryBytes(),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await generator.close();
    },
  };
}

function filesOf({ path, files = {} }: ModelManifest): Record<string, string> {
  const others = Object.entries(files).map(([role, file]) => [FILES[role] ?? role, file] as const);
  return { model: path, ...Object.fromEntries(others) };
}

/** The memory it takes now, and what the largest image will add. */
function memoryOf(generator: ImageGenerator, { drawing, vram }: { drawing: DrawingFacts; vram: number }) {
  const pixels = Math.min(pixelsOf(drawnSize(LARGEST, drawing.side)), UNTILED_PIXELS_MAX);
  const work = pixels * WORK_BYTES_PER_PIXEL;
  const ram = generator.memoryBytes() + process.memoryUsage.rss();
  return vram === 0 ? { ram: ram + work, vram } : { ram, vram: vram + work };
}

type Draw = NonNullable<Session['draw']>;

/** The library takes one request at a time. The pool has one slot for it, but this must also hold without a pool. */
function oneAtATime(draw: Draw): Draw {
  let last: Promise<void> = Promise.resolve();
  return async function* (request, signal) {
    const before = last;
    let leave = () => {};
    last = new Promise((resolve) => (leave = resolve));
    try {
      await before;
      if (!signal.aborted) yield* draw(request, signal);
    } finally {
      leave();
    }
  };
}

type Wanted = { request: DrawRequest; drawing: DrawingFacts };

async function* generate(
  generator: ImageGenerator,
  wanted: Wanted,
  signal: AbortSignal,
): AsyncGenerator<DrawEvent> {
  const left = new AbortController();
  const events = createEventQueue<DrawEvent>();
  const work = drawAll(generator, wanted, {
    signal: anySignal(signal, left.signal),
    report: events.push,
  });
  work.then(events.end, events.fail);
  try {
    yield* events;
  } finally {
    left.abort();
    await work.catch(() => undefined);
  }
}

type Reporting = { signal: AbortSignal; report: (event: DrawEvent) => void };

/** The partial images, if any were requested, and then the final one. */
async function drawAll(
  generator: ImageGenerator,
  { request, drawing }: Wanted,
  { signal, report }: Reporting,
): Promise<void> {
  const last = request.steps ?? drawing.steps;
  const passes = [...draftSteps(last, request.drafts), last];
  const steps = passes.reduce((sum, each) => sum + each, 0);
  let done = 0;
  for (const [index, own] of passes.entries()) {
    const before = done;
    const onStep = (step: number) => report({ type: 'step', step: before + step, steps });
    const drawn = await generator.draw(orderOf({ request, drawing }, own), { signal, onStep });
    if (!drawn) return;
    const picture = await finish(drawn, request);
    report(index === passes.length - 1 ? { type: 'picture', picture } : { type: 'draft', index, picture });
    done += own;
  }
}

function orderOf({ request, drawing }: Wanted, steps: number): Order {
  const { prompt, negativePrompt = '', seed } = request;
  const { side, guidance, negativeGuidance } = drawing;
  const size = drawnSize(request, side);
  return {
    prompt,
    negativePrompt,
    ...size,
    steps,
    guidance: negativePrompt === '' ? guidance : (negativeGuidance ?? guidance),
    seed,
    isTiled: pixelsOf(size) > UNTILED_PIXELS_MAX,
  };
}
