import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate } from '../candidate.ts';
import { ggufModelsIn, stemOf } from '../folder.ts';

const FOLDER = /^models--(.+)$/;

/** The newest commit of each repository that has files here. */
export function findInHub(root: string): Candidate[] {
  return foldersIn(root).flatMap((folder) => {
    const repo = FOLDER.exec(folder)?.[1]?.replaceAll('--', '/');
    if (repo === undefined) return [];
    const snapshots = join(root, folder, 'snapshots');
    return foldersIn(snapshots).flatMap((commit) => modelsOf(repo, join(snapshots, commit)));
  });
}

function modelsOf(repo: string, snapshot: string): Candidate[] {
  const base = { program: 'hub' as const, isContentAddressed: true as const };
  const models = ggufModelsIn(snapshot);
  const files = models.map((model) => ({ ...base, name: `${repo}/${stemOf(model.path)}`, ...model }));
  if (files.length > 0 || !existsSync(join(snapshot, 'config.json'))) return files;
  if (existsSync(join(snapshot, 'onnx'))) return [{ ...base, name: repo, path: snapshot }];
  const hasWeights = readdirSync(snapshot).some((name) => /\.(safetensors|bin|pt)$/.test(name));
  if (!hasWeights) return [];
  return [
    { ...base, name: repo, path: snapshot, obstacle: 'its weights are safetensors; askd runs GGUF and ONNX' },
  ];
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}
