import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULTS } from '../../src/config/settings.ts';
import { entryFile, packageRoot } from '../../src/base/paths.ts';
import { createExtractor } from '../../src/agent/tools/extract.ts';
import { ggufObstacle } from '../../src/library/formats/gguf-obstacle.ts';
import { importFile } from '../../src/library/import.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { createAttachmentReader, openAttachmentOutbound } from '../../daemon/attachments/attachment.ts';
import { createDocumentReader } from '../../daemon/attachments/document-reader.ts';
import { createImageReader, type ImagePart } from '../../daemon/attachments/image-reader.ts';
import { openSound } from '../../models/audio/sound-file.ts';
import { ENGINES } from '../../models/engines.ts';
import { prepareImage } from '../../models/engines/vision/image.ts';
import { writeWordOnnxEmbedder } from '../fixtures/word-onnx.ts';
import { installArchive } from './archives.ts';
import { dataUrl } from './media.ts';
import { ONNX_FILE, openDrawingFolder, WORDS } from './models.ts';

/** A step of reading a file, which throws if it refuses the file. */
export type Stage = {
  parse: (file: Buffer) => Promise<unknown>;
  /** A runner may die because of a file; the daemon may not. */
  isRunner?: true;
  msMax: number;
};
type OpenStages = (folder: string) => Promise<Stage[]>;

/** Work of the daemon during which nobody else is served. */
const BLOCKING_MS_MAX = 2_000;
const WORKING_MS_MAX = 30_000;
/** The limit of the recognisers. */
const RATE = 16_000;
const SECONDS_MAX = 60;

/** The code of askd that reads each format, called without a daemon. */
export const PARSERS: Readonly<Record<string, OpenStages>> = {
  gguf: async (folder) => readModel(folder, join(folder, 'case.gguf'), writerOf(join(folder, 'case.gguf'))),
  onnx: openFolder(ONNX_FILE),
  'tokenizer.json': openFolder('tokenizer.json'),
  safetensors: openImageModel,
  ...Object.fromEntries(['wav', 'mp3', 'flac', 'ogg', 'mp4', 'webm'].map((name) => [name, openEars])),
  ...Object.fromEntries(['png', 'jpeg', 'webp', 'gif'].map((name) => [name, openEyes(name)])),
  pdf: openPages,
  tar: async (folder) => {
    const install = await installArchive(folder);
    return [{ msMax: WORKING_MS_MAX, parse: install }];
  },
};

/** Imported in the daemon, loaded and asked in a runner. */
function readModel(folder: string, path: string, write: (file: Buffer) => Promise<void>): Stage[] {
  let manifest: ModelManifest;
  async function importIt(file: Buffer): Promise<void> {
    await write(file);
    manifest = await importFile({ id: 'case', path, mode: 'link', modelsFolder: folder });
    if (manifest.engine === 'llama') ggufObstacle(path);
  }
  return [
    { msMax: BLOCKING_MS_MAX, parse: importIt },
    { msMax: WORKING_MS_MAX, isRunner: true, parse: () => tryModel(manifest) },
  ];
}

function openFolder(name: string): OpenStages {
  return async (folder) => {
    const path = join(folder, 'case');
    await writeWordOnnxEmbedder(path, WORDS);
    return readModel(folder, path, writerOf(join(path, name)));
  };
}

async function openImageModel(folder: string): Promise<Stage[]> {
  const path = join(folder, 'painter');
  return readModel(folder, path, await openDrawingFolder(path));
}

const writerOf = (path: string) => (file: Buffer) => writeFile(path, file);

const OPTIONS = { slots: 1, contextTokens: 256, threads: 1 };
/** Where this clone has the packages of the optional engine for images. */
const MODULES = join(packageRoot, 'node_modules');
const REQUEST = {
  messages: [{ role: 'user' as const, content: 'one two' }],
  ...{ maxTokens: 1, stop: [] },
  sampling: { temperature: 0, topP: 1, presencePenalty: 0, frequencyPenalty: 0 },
};

async function tryModel(manifest: ModelManifest): Promise<void> {
  const engine = await ENGINES[manifest.engine]();
  const { signal } = new AbortController();
  const options = { ...OPTIONS, ...(manifest.engine === 'diffusion' && { modules: MODULES }) };
  await using session = await engine.load(manifest, options, signal);
  const events = session.chat?.(REQUEST, signal) ?? session.embed?.({ inputs: ['one two'] }, signal);
  if (events !== undefined) await drain(events);
}

async function openEars(folder: string): Promise<Stage[]> {
  const path = join(folder, 'sound');
  const { signal } = new AbortController();
  async function listen(file: Buffer): Promise<void> {
    await writeFile(path, file);
    const { blocks } = await openSound({ path, rate: RATE, secondsMax: SECONDS_MAX, signal });
    await drain(blocks());
  }
  return [{ msMax: WORKING_MS_MAX, isRunner: true, parse: listen }];
}

function openEyes(name: string): OpenStages {
  return async () => {
    const { imageBytesMax, imagePixelsMax } = DEFAULTS;
    const look = createImageReader(
      { imageBytesMax, imagePixelsMax, imageUrls: false },
      openAttachmentOutbound,
    );
    const { signal } = new AbortController();
    let image: ImagePart;
    return [
      {
        msMax: BLOCKING_MS_MAX,
        parse: async (file) => (image = await look(dataUrl(`image/${name}`, file), 'messages', signal)),
      },
      { msMax: WORKING_MS_MAX, isRunner: true, parse: () => prepareImage(image, 0) },
    ];
  };
}

/** In a thread of the daemon, which is terminated after 30 seconds. */
async function openPages(): Promise<Stage[]> {
  const extractor = createExtractor(entryFile('src/agent/tools/extract/extract-worker.js'));
  const readAttachment = createAttachmentReader({ imageUrls: false }, openAttachmentOutbound);
  const read = createDocumentReader({ readAttachment, extractor });
  const { signal } = new AbortController();
  const parse = (file: Buffer) => read(dataUrl('application/pdf', file), 'messages', signal);
  return [{ msMax: 2 * WORKING_MS_MAX, parse }];
}

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) void event;
}
