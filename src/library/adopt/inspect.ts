import { existsSync, statSync } from 'node:fs';
import { describeQuantization } from '../formats/gguf-file-types.ts';
import { readGgufHeader } from '../formats/gguf-header.ts';
import { ggufObstacle } from '../formats/gguf-obstacle.ts';
import { missingShard, shardsOf } from '../formats/shards.ts';
import { templateFamily } from '../formats/template-family.ts';
import type { ModelManifest, Origin } from '../../runtime/manifest.ts';
import { importFile } from '../import.ts';
import { PROGRAMS, type Candidate } from './candidate.ts';

/** What a file says about itself. */
export type Facts = {
  architecture: string;
  quantization: string;
  sizeLabel: string;
  /** `general` if the file has no chat template; empty if it does not chat. */
  template: string;
};

export type Inspected = { facts: Facts } & ({ manifest: ModelManifest } | { obstacle: string });

/** Reads a candidate's files, and returns the manifest under which askd would run them, or why it cannot. */
export async function inspect(candidate: Candidate, id: string): Promise<Inspected> {
  if (candidate.obstacle !== undefined) return { facts: NO_FACTS, obstacle: candidate.obstacle };
  try {
    if (!existsSync(candidate.path))
      return { facts: NO_FACTS, obstacle: `its weights ${candidate.path} are missing` };
    const isFolder = statSync(candidate.path).isDirectory();
    const facts = isFolder ? { ...NO_FACTS, architecture: 'onnx' } : factsOf(candidate.path);
    const obstacle = isFolder ? undefined : obstacleOf(candidate.path);
    if (obstacle !== undefined) return { facts, obstacle };
    return { facts, manifest: await toManifest(candidate, id) };
  } catch (error) {
    return { facts: NO_FACTS, obstacle: error instanceof Error ? error.message : String(error) };
  }
}

const NO_FACTS: Facts = { architecture: '', quantization: '', sizeLabel: '', template: '' };

function factsOf(path: string): Facts {
  const { architecture, fileType, sizeLabel = '', chatTemplate, poolingType } = readGgufHeader(path);
  return {
    architecture,
    quantization: describeQuantization(fileType),
    sizeLabel,
    template: poolingType === undefined ? templateFamily(chatTemplate) : '',
  };
}

function obstacleOf(path: string): string | undefined {
  const missing = missingShard(path);
  return missing === undefined ? ggufObstacle(path) : `its part ${missing} is missing`;
}

async function toManifest(candidate: Candidate, id: string): Promise<ModelManifest> {
  const { path, projector, licence, defaults, adapters = [] } = candidate;
  const imported = await importFile({ id, path, projector, mode: 'link', modelsFolder: '' });
  const isMixed = adapters.length > 0 && imported.engine === 'llama';
  const unmet = [...(candidate.unmet ?? [])];
  if (adapters.length > 0 && !isMixed) unmet.push('ADAPTER: the vision engine applies none');
  return {
    ...imported,
    ...(licence !== undefined && imported.licence === 'unknown' && { licence }),
    ...(isMixed && { adapters }),
    ...(defaults && { defaults }),
    origin: originOf(candidate, imported, unmet),
  };
}

function originOf(candidate: Candidate, { path, files = {} }: ModelManifest, unmet: string[]): Origin {
  const { program, name, adapters = [], isContentAddressed } = candidate;
  const all = [...shardsOf(path), ...Object.values(files), ...adapters.map((adapter) => adapter.path)];
  return {
    program: PROGRAMS[program],
    name,
    unmet,
    files: [...new Set(all)].map((file) => {
      const { size, mtimeMs } = statSync(file);
      return { path: file, bytes: size, ...(!isContentAddressed && { modifiedMs: mtimeMs }) };
    }),
  };
}
