import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Candidate } from '../candidate.ts';
import { filesIn } from '../folder.ts';
import { readModelfile, type Parts } from '../modelfile.ts';

type Layer = { mediaType?: string; digest?: string };
type Manifest = { config?: Layer; layers?: Layer[] };
type Config = { remote_host?: string; remote_model?: string };

const DEFAULT_HOST = 'registry.ollama.ai';
const PART = 'application/vnd.ollama.image.';
const MANIFEST_BYTES_MAX = 1024 * 1024;

/** A manifest for each name and tag, and blobs named by their hash. */
export function findInOllama(folders: readonly string[]): Candidate[] {
  return folders.flatMap((folder) => {
    const manifests = join(folder, 'manifests');
    return filesIn(manifests).flatMap((path) => {
      const name = nameOf(relative(manifests, path));
      return name === undefined ? [] : [readModel(folder, path, name)];
    });
  });
}

/** `host/namespace/model/tag`, written as `ollama run` expects it. */
function nameOf(path: string): string | undefined {
  const [host, namespace, model, tag, ...rest] = path.split(sep);
  if (host === undefined || namespace === undefined || !model || !tag || rest.length > 0) return undefined;
  if (host !== DEFAULT_HOST) return `${host}/${namespace}/${model}:${tag}`;
  return namespace === 'library' ? `${model}:${tag}` : `${namespace}/${model}:${tag}`;
}

function readModel(folder: string, path: string, name: string): Candidate {
  const base = { program: 'ollama' as const, name, isContentAddressed: true as const };
  const blobOf = ({ digest = '' }: Layer) => blobPath(folder, digest);
  try {
    const manifest = readJson<Manifest>(path);
    const layers = manifest.layers ?? [];
    const blobs = (part: string) => layers.filter(({ mediaType }) => mediaType === PART + part).map(blobOf);
    const [weights] = blobs('model');
    if (weights === undefined) return { ...base, path, obstacle: whyNoWeights(manifest, layers, blobOf) };
    const [projector] = blobs('projector');
    const read = (part: string) => blobs(part).map((blob) => readFileSync(blob, 'utf8'));
    const parts: Parts = {
      ...{ system: read('system')[0], template: read('template')[0], params: read('params')[0] },
      ...{ messages: read('messages')[0], licences: read('license'), adapters: blobs('adapter') },
      weights,
    };
    return { ...base, path: weights, ...(projector !== undefined && { projector }), ...readModelfile(parts) };
  } catch (error) {
    return { ...base, path, obstacle: `its manifest or a blob cannot be read: ${textOf(error)}` };
  }
}

function whyNoWeights(
  { config }: Manifest,
  layers: readonly Layer[],
  blobOf: (layer: Layer) => string,
): string {
  const { remote_host: host, remote_model: remote } = config ? readJson<Config>(blobOf(config)) : {};
  if (host !== undefined || remote !== undefined)
    return "it runs on Ollama's servers: its weights are not here";
  if (layers.some(({ mediaType }) => mediaType === `${PART}tensor`))
    return 'its weights are safetensors; askd runs GGUF and ONNX';
  return 'its manifest names no weights';
}

/** Older versions wrote a colon, which Windows does not allow in file names. */
function blobPath(folder: string, digest: string): string {
  const hash = /^sha256[:-]([0-9a-f]{64})$/.exec(digest)?.[1];
  if (hash === undefined) throw new Error(`${JSON.stringify(digest)} is not a digest`);
  const old = join(folder, 'blobs', `sha256:${hash}`);
  const usual = join(folder, 'blobs', `sha256-${hash}`);
  return !existsSync(usual) && existsSync(old) ? old : usual;
}

function readJson<Content>(path: string): Content {
  const text = readFileSync(path, 'utf8');
  if (text.length > MANIFEST_BYTES_MAX) throw new Error('it is too large');
  return JSON.parse(text) as Content;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
