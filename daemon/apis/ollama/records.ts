import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Details, Running, Shown, Tag } from '../../../src/api/ollama/models.ts';
import { toIso } from '../../../src/base/clock.ts';
import { describeQuantization } from '../../../src/library/formats/gguf-file-types.ts';
import { readGgufHeader, type GgufHeader } from '../../../src/library/formats/gguf-header.ts';
import { SERVICE_MODELS } from '../../../src/library/service-models.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import type { Services } from '../../compose.ts';
import { toListedName } from './names.ts';

/** Ollama shows a model that stays as one that leaves in some hundred years. */
const FOREVER = '2318-01-01T00:00:00.000Z';
const TASKS = ['chat', 'embed'] as const;

type Parts = Pick<Services, 'library' | 'pool' | 'contextOf'>;

/** What can be asked for here: service models that something serves, then the models and their further names. */
export function listTags({ library }: Parts): Tag[] {
  const here = library.artifacts().filter((each) => isOfUse(each) && library.isPresent(each));
  const services = SERVICE_MODELS.flatMap(({ id }) => {
    const bound = library.boundArtifact(id);
    return bound && here.some((each) => each.id === bound.id) ? [toTag(id, bound, library)] : [];
  });
  const own = here.flatMap((each) =>
    [each.id, ...library.aliasesOf(each.id)].map((name) => toTag(name, each, library)),
  );
  return [...services, ...own];
}

function isOfUse({ tasks }: ModelManifest): boolean {
  return TASKS.some((task) => tasks.includes(task));
}

function toTag(name: string, manifest: ModelManifest, library: Parts['library']): Tag {
  return { ...listed(name, manifest, library), modified_at: modifiedAt(manifest) };
}

function listed(name: string, manifest: ModelManifest, library: Parts['library']) {
  const shown = toListedName(name);
  return {
    name: shown,
    model: shown,
    size: manifest.bytes,
    digest: digestOf(manifest, library),
    details: detailsOf(manifest),
  };
}

export function listRunning({ library, pool }: Parts): Running[] {
  return pool.status().flatMap((entry) => {
    const manifest = library.findArtifact(entry.artifact);
    if (!manifest || !isOfUse(manifest) || entry.state === 'waiting') return [];
    const isOnCard = entry.device !== null && !/cpu/i.test(entry.device);
    return [
      {
        ...listed(manifest.id, manifest, library),
        size: entry.bytes,
        expires_at: entry.expires_at ?? FOREVER,
        size_vram: isOnCard ? entry.bytes : 0,
        context_length: entry.context_tokens ?? 0,
      },
    ];
  });
}

export function showModel(manifest: ModelManifest, { contextOf }: Parts): Shown {
  const { contextTokens } = contextOf(manifest);
  const header = headerOf(manifest);
  const family = familyOf(manifest, header);
  const dimensions = header?.embeddingLength ?? manifest.embedding?.dimensions;
  return {
    license: manifest.licence,
    modelfile: `# Made by askd, which needs none.\nFROM ${manifest.path}\n`,
    parameters: `num_ctx                        ${contextTokens}`,
    template: header?.chatTemplate ?? '',
    details: detailsOf(manifest),
    model_info: {
      'general.architecture': family,
      'general.name': manifest.name,
      [`${family}.context_length`]: contextTokens,
      ...(dimensions !== undefined && { [`${family}.embedding_length`]: dimensions }),
    },
    capabilities: capabilitiesOf(manifest, header),
    modified_at: modifiedAt(manifest),
  };
}

/** Whatever chats here calls tools too: the engines bind the calls of any model to their schema. */
function capabilitiesOf({ tasks, files, engine }: ModelManifest, header: GgufHeader | undefined): string[] {
  const { chatTemplate = '' } = header ?? {};
  return [
    ...(tasks.includes('chat') ? ['completion', 'tools'] : []),
    ...(THINKS.test(chatTemplate) ? ['thinking'] : []),
    ...(files?.['projector'] !== undefined || engine === 'upstream' ? ['vision'] : []),
    ...(tasks.includes('embed') ? ['embedding'] : []),
  ];
}

const THINKS = /<think>|enable_thinking|reasoning_content|reasoning_effort/;

function detailsOf(manifest: ModelManifest): Details {
  const header = headerOf(manifest);
  const family = familyOf(manifest, header);
  return {
    parent_model: '',
    format: header ? 'gguf' : manifest.engine,
    family,
    families: [family],
    parameter_size: header?.sizeLabel ?? '',
    quantization_level: describeQuantization(header?.fileType),
  };
}

function familyOf({ engine }: ModelManifest, header: GgufHeader | undefined): string {
  return header?.architecture ?? engine;
}

/** A list is asked for often, and what its files say does not change. */
const headers = new Map<string, GgufHeader | undefined>();

function headerOf({ engine, path, bytes }: ModelManifest): GgufHeader | undefined {
  if (engine !== 'llama' && engine !== 'vision') return undefined;
  const key = `${path} ${bytes}`;
  if (!headers.has(key)) headers.set(key, readHeader(path));
  return headers.get(key);
}

function readHeader(path: string): GgufHeader | undefined {
  try {
    return readGgufHeader(path);
  } catch {
    return undefined;
  }
}

/** Of the file where it is known, else of what tells it from others. */
function digestOf({ id, path, bytes }: ModelManifest, library: Parts['library']): string {
  const file = library.installedFiles(id).find(({ hash }) => hash.kind === 'sha256');
  return file?.hash.value ?? createHash('sha256').update(`${id}\0${path}\0${bytes}`).digest('hex');
}

function modifiedAt({ path }: ModelManifest): string {
  return toIso(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
