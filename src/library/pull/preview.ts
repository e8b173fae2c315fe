import { existsSync } from 'node:fs';
import { Failure } from '../../base/errors.ts';
import { budgetFor, type Machine } from '../choose-artifact.ts';
import { ggufAbilities } from '../formats/gguf-abilities.ts';
import { describeQuantization } from '../formats/gguf-file-types.ts';
import { headerOf } from '../formats/gguf-header.ts';
import { obstacleIn } from '../formats/gguf-obstacle.ts';
import { readGguf, readGgufBeginning, type Metadata, type TensorInfo } from '../formats/gguf-reader.ts';
import { isFirstShard } from '../formats/shards.ts';
import { templateFamily } from '../formats/template-family.ts';
import type { HubCache } from '../hub/cache.ts';
import { readBeginning, type Unread } from '../hub/read-beginning.ts';
import type { HubAccess } from '../hub/request.ts';
import { memoryOfShape } from '../memory-needs.ts';
import type { Plan, PlannedFile } from './plan.ts';

/** What a model is, told by the header of its weights before they are downloaded. */
export type Preview = {
  artifact: string;
  licence: string;
  bytes: number;
  header: PreviewHeader | null;
  /** Why there is no header. */
  note: string | null;
};

export type PreviewHeader = {
  architecture: string;
  quantization: string;
  /** Undefined for a split model without a label: each part counts only its own. */
  parameters: string | undefined;
  contextTokensMax: number;
  tasks: readonly string[];
  template: string;
  memoryBytes: number;
  memoryContextTokens: number;
  fits: boolean;
};

type Parts = { access: HubAccess; cache: HubCache; machine: Machine; signal: AbortSignal };

const CONTEXT_TOKENS = 8192;

/** Refuses what cannot be served. A header that cannot be read is no reason to refuse. */
export async function previewOf({ manifest, files }: Plan, parts: Parts): Promise<Preview> {
  const [main] = files;
  const bytes = files.reduce((sum, { entry }) => sum + entry.bytes, 0);
  const known = { artifact: manifest.id, licence: manifest.licence, bytes };
  if (!main || !/\.gguf$/i.test(main.entry.path))
    return { ...known, header: null, note: 'it is no GGUF file' };
  const read = (metadata: Metadata, tensors: () => TensorInfo[]) =>
    headerFacts({ metadata, tensors: tensors(), bytes, path: main.entry.path, machine: parts.machine });
  const header = await readMain(main, parts, read);
  if ('unread' in header)
    return { ...known, header: null, note: `its header was not read: ${header.unread}` };
  if ('obstacle' in header) throw cannotServe(main, header.obstacle);
  return { ...known, header, note: null };
}

type Read = (metadata: Metadata, tensors: () => TensorInfo[]) => PreviewHeader | { obstacle: string };

/** From a copy on this machine, where there is one, whose hash is checked later. */
async function readMain({ entry, candidates }: PlannedFile, { access, cache, signal }: Parts, read: Read) {
  const name = `${entry.repo}/${entry.path}`;
  const copy = [cache.blobOf(entry), ...candidates].find((path) => existsSync(path));
  if (copy !== undefined) return readCopy(copy, read);
  const attempt = () =>
    readBeginning(entry, { access, signal }, (beginning) => readGgufBeginning(name, beginning, read));
  // What came damaged once is asked for again, as in a download.
  return attempt().catch(attempt);
}

function readCopy(path: string, read: Read): ReturnType<Read> | Unread {
  try {
    return readGguf(path, read);
  } catch (error) {
    return { unread: error instanceof Error ? error.message : String(error) };
  }
}

type Found = {
  metadata: Metadata;
  tensors: readonly TensorInfo[];
  bytes: number;
  path: string;
  machine: Machine;
};

function headerFacts({ metadata, tensors, bytes, path, machine }: Found): ReturnType<Read> {
  const obstacle = obstacleIn(metadata, tensors);
  if (obstacle !== undefined) return { obstacle };
  const header = headerOf(metadata);
  const { architecture, chatTemplate, contextTokensMax, fileType, shape } = header;
  const abilities = ggufAbilities(header);
  if (!abilities) {
    return { obstacle: `it is a ${architecture} model, which supports neither chat nor embeddings` };
  }
  const memoryContextTokens = Math.min(CONTEXT_TOKENS, contextTokensMax || CONTEXT_TOKENS);
  const memoryBytes = memoryOfShape(bytes, shape, memoryContextTokens);
  return {
    architecture,
    quantization: describeQuantization(fileType),
    parameters: header.sizeLabel ?? (isFirstShard(path) ? undefined : countOf(tensors)),
    contextTokensMax,
    tasks: abilities.tasks,
    template: abilities.tasks.includes('chat') ? templateFamily(chatTemplate) : '',
    memoryBytes,
    memoryContextTokens,
    fits: memoryBytes <= budgetFor(machine),
  };
}

const UNITS = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/** As authors write it: 4.0B. */
function countOf(tensors: readonly TensorInfo[]): string {
  const count = tensors.reduce((sum, { dims }) => sum + dims.reduce((product, each) => product * each, 1), 0);
  const [size, unit] = UNITS.find(([least]) => count >= least) ?? [1, ''];
  return `${(count / size).toFixed(unit === '' ? 0 : 1)}${unit}`;
}

function cannotServe({ entry }: PlannedFile, why: string): Failure {
  const message = `${entry.repo}/${entry.path} cannot be served: ${why}. Nothing was downloaded.`;
  return new Failure('invalid_model_file', message, { param: 'model' });
}
