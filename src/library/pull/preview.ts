import { existsSync } from 'node:fs';
import { budgetFor, type Machine } from '../choose-artifact.ts';
import { ggufAbilities, whyNotUsable } from '../formats/gguf-abilities.ts';
import { describeQuantization } from '../formats/gguf-file-types.ts';
import { headerOf } from '../formats/gguf-header.ts';
import { obstacleIn } from '../formats/gguf-obstacle.ts';
import { readGguf, readGgufBeginning, type Metadata, type TensorInfo } from '../formats/gguf-reader.ts';
import type { RepositoryFormat } from '../formats/repository-format.ts';
import { isFirstShard } from '../formats/shards.ts';
import { templateFamily } from '../formats/template-family.ts';
import type { HubCache } from '../hub/cache.ts';
import { readBeginning, type Unread } from '../hub/read-beginning.ts';
import type { HubAccess } from '../hub/request.ts';
import { memoryOfShape } from '../memory-needs.ts';
import type { Plan, PlannedFile } from './plan.ts';

/** Describes a model before it is downloaded, from the header of its weights or its configuration. */
export type Preview = {
  artifact: string;
  licence: string;
  format: RepositoryFormat;
  /** The number of files, and their total size. */
  files: number;
  bytes: number;
  header: PreviewHeader | null;
  /** Why there is no header, or how it had to be read. */
  note: string | null;
  /** Why askd cannot run it. */
  obstacle: string | null;
};

/** Values that are not stated are empty, 0 or undefined. */
export type PreviewHeader = {
  architecture: string;
  quantization: string;
  /** Undefined for a split model without a label, since each part counts only its own parameters. */
  parameters: string | undefined;
  contextTokensMax: number;
  tasks: readonly string[];
  template: string;
  memoryBytes: number | undefined;
  memoryContextTokens: number;
  fits: boolean | undefined;
};

type Parts = { access: HubAccess; cache: HubCache; machine: Machine; signal: AbortSignal };

const CONTEXT_TOKENS = 8192;

/** A header that cannot be read does not prevent the download. */
export async function previewOf({ manifest, files }: Plan, parts: Parts): Promise<Preview> {
  const [main] = files;
  const bytes = files.reduce((sum, { entry }) => sum + entry.bytes, 0);
  const known = { artifact: manifest.id, licence: manifest.licence, bytes, files: files.length };
  if (!main || !/\.gguf$/i.test(main.entry.path)) {
    const format = files.some(({ entry }) => /\.onnx$/i.test(entry.path)) ? 'onnx' : 'other';
    return { ...known, format, header: null, note: 'it is not a GGUF file', obstacle: null };
  }
  const read = (metadata: Metadata, tensors: () => TensorInfo[]) =>
    headerFacts({ metadata, tensors: tensors(), bytes, path: main.entry.path, machine: parts.machine });
  const found = await readMain(main, parts, read);
  const gguf = { ...known, format: 'gguf' as const };
  if ('unread' in found)
    return { ...gguf, header: null, note: `its header was not read: ${found.unread}`, obstacle: null };
  const { facts, note } = found;
  const why = facts.obstacle === undefined ? null : obstacleText(main, facts.obstacle);
  return { ...gguf, header: facts.header, note, obstacle: why };
}

type Facts = { header: PreviewHeader; obstacle: string | undefined };
type Read = (metadata: Metadata, tensors: () => TensorInfo[]) => Facts;
type ReadFacts = { facts: Facts; note: string | null };

/** From a local copy, if there is one; its hash is checked later. */
async function readMain(
  { entry, candidates }: PlannedFile,
  { access, cache, signal }: Parts,
  read: Read,
): Promise<ReadFacts | Unread> {
  const name = `${entry.repo}/${entry.path}`;
  const copy = [cache.blobOf(entry), ...candidates].find((path) => existsSync(path));
  if (copy !== undefined) return readCopy(copy, read);
  const attempt = async () => {
    const found = await readBeginning(entry, { access, signal }, (beginning) =>
      readGgufBeginning(name, beginning, read),
    );
    if ('unread' in found) return found;
    const { parsed, bytes, hasRanges } = found;
    const note = hasRanges
      ? null
      : `the server does not support range requests, so the first ${bytes} bytes were read`;
    return { facts: parsed, note };
  };
  // Damaged data is requested once more, as in a download.
  return attempt().catch(attempt);
}

function readCopy(path: string, read: Read): ReadFacts | Unread {
  try {
    return { facts: readGguf(path, read), note: null };
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

function headerFacts({ metadata, tensors, bytes, path, machine }: Found): Facts {
  const header = headerOf(metadata);
  const { architecture, chatTemplate, contextTokensMax, fileType, shape } = header;
  const abilities = ggufAbilities(header);
  const tasks = abilities?.tasks ?? [];
  const useless = abilities ? undefined : whyNotUsable(architecture);
  const memoryContextTokens = memoryContextOf(contextTokensMax);
  const memoryBytes = memoryOfShape(bytes, shape, memoryContextTokens);
  return {
    obstacle: obstacleIn(metadata, tensors) ?? useless,
    header: {
      architecture,
      quantization: describeQuantization(fileType),
      parameters: header.sizeLabel ?? (isFirstShard(path) ? undefined : countOf(tensors)),
      contextTokensMax,
      tasks,
      template: tasks.includes('chat') ? templateFamily(chatTemplate) : '',
      memoryBytes,
      memoryContextTokens,
      fits: memoryBytes <= budgetFor(machine),
    },
  };
}

/** The context that the memory is estimated for: a typical one, or the model's maximum if that is smaller. */
export function memoryContextOf(contextTokensMax: number): number {
  return Math.min(CONTEXT_TOKENS, contextTokensMax || CONTEXT_TOKENS);
}

const UNITS = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

function countOf(tensors: readonly TensorInfo[]): string {
  return countText(
    tensors.reduce((sum, { dims }) => sum + dims.reduce((product, each) => product * each, 1), 0),
  );
}

/** As in model names: 4.0B. */
export function countText(count: number): string {
  const [size, unit] = UNITS.find(([least]) => count >= least) ?? [1, ''];
  return `${(count / size).toFixed(unit === '' ? 0 : 1)}${unit}`;
}

function obstacleText({ entry }: PlannedFile, why: string): string {
  return `${entry.repo}/${entry.path} cannot be served: ${why}.`;
}
