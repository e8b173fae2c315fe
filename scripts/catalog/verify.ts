import { createHubClient, type HubClient, type HubEntry } from '../../src/library/hub/client.ts';
import type { HubFile, ModelManifest } from '../../src/runtime/manifest.ts';

export type Verdict = { artifact: string; file: string; problems: string[]; entry: HubEntry | undefined };

export type VerifyOptions = { endpoint: string; token?: string | undefined };

const PROXY = { httpProxy: '', httpsProxy: '', noProxy: '' };

/** Compares every file of the catalogue with the hub's current metadata. */
export async function* verifyCatalog(
  catalog: readonly ModelManifest[],
  { endpoint, token }: VerifyOptions,
  signal: AbortSignal,
): AsyncGenerator<Verdict> {
  const client = createHubClient({ endpoint, token, proxy: PROXY, stallMs: 30_000, retryMs: 500 });
  for (const manifest of catalog) {
    for (const file of manifest.hub ?? []) yield await verifyFile(client, { manifest, file }, signal);
  }
}

type Claimed = { manifest: ModelManifest; file: HubFile };

async function verifyFile(
  client: HubClient,
  { manifest, file }: Claimed,
  signal: AbortSignal,
): Promise<Verdict> {
  const name = { artifact: manifest.id, file: `${file.repo}/${file.path}` };
  try {
    const entry = await client.entry(file.repo, file.path, file.revision ?? 'main', signal);
    return { ...name, entry, problems: differences(file, entry, manifest.verified?.bytes !== undefined) };
  } catch (error) {
    signal.throwIfAborted();
    return { ...name, entry: undefined, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** A size that was never verified is an estimate, and may be off by a tenth. */
function differences(
  { bytes, sha256 }: HubFile,
  { bytes: actual, hash }: HubEntry,
  isExact: boolean,
): string[] {
  const isSmall = actual < 10e6;
  const isFar = Math.abs(bytes - actual) > bytes * 0.1 && !isSmall;
  return [
    ...(isExact && !isSmall && bytes !== actual
      ? [`its size is ${actual}, the catalogue says ${bytes}`]
      : []),
    ...(!isExact && isFar ? [`its size is ${actual}, the catalogue estimates ${bytes}`] : []),
    ...(sha256 !== undefined && hash.value !== sha256 ? [`its sha256 is ${hash.value}, not ${sha256}`] : []),
  ];
}
