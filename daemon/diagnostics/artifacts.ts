import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../src/api/management/library.ts';
import type { InstalledFile } from '../../src/library/storage/artifact-files.ts';
import { startHasher, type Hasher } from '../../src/library/download/hasher.ts';
import { changeFix, changeOf, sentenceOf } from '../../src/library/adopt/change.ts';
import { pullCommand } from '../../src/library/missing.ts';
import { entryFile } from '../../src/base/paths.ts';
import type { ModelCard, ModelManifest } from '../../src/runtime/manifest.ts';
import type { Services } from '../compose.ts';
import type { Diagnostic } from './diagnostic.ts';

type CheckedFile = Pick<InstalledFile, 'path' | 'bytes' | 'hash'>;

export const diagnoseArtifacts: Diagnostic = async ({ library }, { hashes }, signal) => {
  const hasher = hashes ? startHasher(entryFile('src/library/download/hash-worker.js')) : undefined;
  try {
    const findings: Finding[] = [];
    for (const artifact of library.artifacts()) {
      signal.throwIfAborted();
      findings.push(await diagnoseArtifact(artifact, library, hasher));
    }
    return findings;
  } finally {
    await hasher?.close();
  }
};

async function diagnoseArtifact(
  artifact: ModelManifest,
  library: Services['library'],
  hasher: Hasher | undefined,
): Promise<Finding> {
  const check = `model ${artifact.id}`;
  const change = changeOf(artifact);
  if (change) {
    const { what, path } = change;
    const message = `a file of ${artifact.origin?.program ?? ''}: ${sentenceOf(what, path)}`;
    return { check, level: 'problem', message, fix: changeFix(artifact, what) };
  }
  if (!library.isPresent(artifact)) {
    const fix = artifact.hub
      ? pullCommand(artifact.id, artifact)
      : `restore the file, or: askd rm ${artifact.id}`;
    return { check, level: 'problem', message: `a file is missing: ${artifact.path}`, fix };
  }
  const { card } = artifact;
  const files = card ? shippedFiles(card) : library.installedFiles(artifact.id);
  const wrong = await findWrong(files, hasher);
  if (wrong !== undefined) {
    const fix = card ? 'reinstall askd' : `askd rm --force ${artifact.id}, then askd pull ${artifact.id}`;
    return { check, level: 'problem', message: `${wrong} has changed since it was verified`, fix };
  }
  const obstacle = library.obstacleTo(artifact);
  if (obstacle !== undefined) return { check, level: 'warning', message: `installed, but ${obstacle}` };
  return { check, level: 'ok', message: verdict(card && !hasher ? 0 : files.length, hasher !== undefined) };
}

function shippedFiles({ folder, files }: ModelCard): CheckedFile[] {
  return Object.entries(files).map(([name, value]) => {
    const path = join(folder, name);
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? -1;
    return { path, bytes, hash: { kind: 'sha256', value } };
  });
}

function verdict(count: number, isHashed: boolean): string {
  if (count === 0) return 'installed';
  return isHashed ? 'installed, hashes verified' : 'installed, size verified';
}

async function findWrong(
  files: readonly CheckedFile[],
  hasher: Hasher | undefined,
): Promise<string | undefined> {
  for (const { path, bytes, hash } of files) {
    if (statSync(path, { throwIfNoEntry: false })?.size !== bytes) return path;
    if (hasher === undefined) continue;
    const following = hasher.follow(path, hash, bytes, () => undefined);
    following.advance(bytes);
    if ((await following.digest().catch(() => 'unreadable')) !== hash.value) return path;
  }
  return undefined;
}
