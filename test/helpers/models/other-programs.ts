import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes models into folders laid out like those of other programs. `home` stands for the person's home folder. */
export function otherPrograms(home: string) {
  return {
    /** The environment that points askd to these folders and to no others. */
    env: {
      HOME: home,
      XDG_CACHE_HOME: join(home, '.cache'),
      XDG_DATA_HOME: join(home, '.local', 'share'),
      HF_HOME: join(home, '.cache', 'huggingface'),
      HF_HUB_CACHE: join(home, '.cache', 'huggingface', 'hub'),
      OLLAMA_MODELS: join(home, '.ollama', 'models'),
      LLAMA_CACHE: join(home, '.cache', 'llama.cpp'),
    },
    ollama: (name: string, parts: OllamaParts) => writeOllama(join(home, '.ollama', 'models'), name, parts),
    lmStudio: (name: string, source: string) => place(source, join(home, '.lmstudio', 'models', name)),
    llamaCpp: (name: string, source: string) => place(source, join(home, '.cache', 'llama.cpp', name)),
    gpt4all: (name: string, source: string) =>
      place(source, join(home, '.local', 'share', 'nomic.ai', 'GPT4All', name)),
    jan: (name: string, source: string) =>
      writeJan(join(home, '.local', 'share', 'Jan', 'data'), name, source),
    hub: (repo: string, files: Record<string, string>) =>
      writeHub(join(home, '.cache', 'huggingface', 'hub'), repo, files),
  };
}

export type OllamaParts = {
  model?: string;
  projector?: string;
  adapter?: string;
  system?: string;
  template?: string;
  params?: Record<string, unknown>;
  messages?: readonly { role: string; content: string }[];
  license?: string;
  config?: Record<string, unknown>;
};

/** Returns the path of the blob of the weights. */
function writeOllama(root: string, name: string, parts: OllamaParts): string {
  const blobs = join(root, 'blobs');
  mkdirSync(blobs, { recursive: true });
  const blob = (content: Buffer) => {
    const hash = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(blobs, `sha256-${hash}`), content);
    return { digest: `sha256:${hash}`, size: content.length };
  };
  const layer = (part: string, content: Buffer) => ({
    mediaType: `application/vnd.ollama.image.${part}`,
    ...blob(content),
  });
  const { config = { model_format: 'gguf' }, params, messages, ...rest } = parts;
  const layers = [
    ...(['model', 'projector', 'adapter'] as const).flatMap((part) => {
      const path = rest[part];
      return path === undefined ? [] : [layer(part, readFileSync(path))];
    }),
    ...(['template', 'system', 'license'] as const).flatMap((part) => {
      const text = rest[part];
      return text === undefined ? [] : [layer(part, Buffer.from(text))];
    }),
    ...(params ? [layer('params', Buffer.from(JSON.stringify(params)))] : []),
    ...(messages ? [layer('messages', Buffer.from(JSON.stringify(messages)))] : []),
  ];
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
    config: {
      mediaType: 'application/vnd.docker.container.image.v1+json',
      ...blob(Buffer.from(JSON.stringify(config))),
    },
    layers,
  };
  const [model = '', tag = 'latest'] = name.split(':');
  const path = model.includes('/') ? model : `library/${model}`;
  const host = path.split('/').length > 2 ? '' : 'registry.ollama.ai';
  write(join(root, 'manifests', host, path, tag), JSON.stringify(manifest));
  const weights = layers.find(({ mediaType }) => mediaType.endsWith('.model'));
  return join(blobs, weights?.digest.replace(':', '-') ?? '');
}

function writeJan(data: string, name: string, source: string): string {
  const path = place(source, join(data, 'llamacpp', 'models', name, 'model.gguf'));
  const lines = [
    'embedding: false',
    `model_path: llamacpp/models/${name}/model.gguf`,
    `name: ${name}`,
    `size_bytes: ${statSync(path).size}`,
  ];
  write(join(data, 'llamacpp', 'models', name, 'model.yml'), `${lines.join('\n')}\n`);
  return path;
}

/** `files` maps names in the repository to their sources. */
function writeHub(root: string, repo: string, files: Record<string, string>): string {
  const folder = join(root, `models--${repo.replaceAll('/', '--')}`);
  const commit = 'c'.repeat(40);
  write(join(folder, 'refs', 'main'), commit);
  for (const [name, source] of Object.entries(files)) place(source, join(folder, 'snapshots', commit, name));
  return join(folder, 'snapshots', commit);
}

export function place(source: string, target: string): string {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
  return target;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
