import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Container, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import { parseAllDocuments } from 'yaml';
import { packageRoot } from '../../../../src/base/paths.ts';
import type { Kustomization, RayService } from './custom-resources.ts';

export const FOLDER = join(packageRoot, 'deploy', 'kubernetes');

type Document = { apiVersion?: string; kind?: string; metadata?: ObjectMeta };
export type Manifest = {
  /** For messages: the file, the kind and the name. */
  name: string;
  file: string;
  document: Document;
  /** It patches a resource of another file. */
  isPatch?: boolean;
};
export type Pods = { name: string; namespace: string; template: PodTemplateSpec; claims: string[] };

export const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .sort();
export const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

export function manifestsIn(file: string, text = textOf(file)): Manifest[] {
  return parseAllDocuments(text).map((parsed) => {
    const [error] = [...parsed.errors, ...parsed.warnings];
    if (error) throw error;
    const document = parsed.toJS() as Document;
    return { name: `${file} ${document.kind} ${document.metadata?.name ?? ''}`.trimEnd(), file, document };
  });
}

/** By folder. A kustomization gives its namespace to the resources that it lists. */
export const kustomizations = new Map(
  FILES.filter((file) => file.endsWith('kustomization.yaml')).map((file) => [
    dirname(file),
    manifestsIn(file)[0]?.document as Kustomization,
  ]),
);
const PATCHES = [...kustomizations].flatMap(([folder, { patches = [] }]) =>
  patches.map(({ path }) => join(folder, path)),
);

export const MANIFESTS: readonly Manifest[] = FILES.flatMap((file) =>
  manifestsIn(file).map((manifest) => ({ ...manifest, isPatch: PATCHES.includes(file) })),
);

export function namespaceOf({ file, document }: Manifest): string | undefined {
  return document.metadata?.namespace ?? kustomizations.get(dirname(file))?.namespace;
}

/** All whole resources of a kind, with the namespace in which they will be. */
export function resources<Resource>(kind: string): (Resource & { file: string; namespace: string })[] {
  return MANIFESTS.filter(({ document, isPatch }) => document.kind === kind && !isPatch).map((manifest) => ({
    ...(manifest.document as Resource),
    file: manifest.file,
    namespace: namespaceOf(manifest) ?? '',
  }));
}

type Workload = {
  metadata?: ObjectMeta;
  spec: { template: PodTemplateSpec; volumeClaimTemplates?: { metadata?: ObjectMeta }[] };
};

/** The pods of every workload, those of Ray included. */
export function allPods(): Pods[] {
  const sets = resources<Workload>('StatefulSet').map(({ metadata, namespace, spec }) => ({
    name: metadata?.name ?? '',
    namespace,
    template: spec.template,
    claims: (spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata?.name ?? ''),
  }));
  const ray = resources<RayService>('RayService').flatMap(({ metadata, namespace, spec }) => {
    const { headGroupSpec, workerGroupSpecs = [] } = spec.rayClusterConfig;
    return [headGroupSpec, ...workerGroupSpecs].map(({ template }) => ({
      name: metadata.name ?? '',
      namespace,
      template,
      claims: [],
    }));
  });
  return [...sets, ...ray];
}

export const containersOf = ({ template }: Pods) => template.spec?.containers ?? [];

export const isSubset = (part: Record<string, string> = {}, whole: Record<string, string> = {}) =>
  Object.entries(part).every(([name, value]) => whole[name] === value);

export function probesOf({ startupProbe, readinessProbe, livenessProbe }: Container) {
  return [startupProbe, readinessProbe, livenessProbe].filter((probe) => probe !== undefined);
}
