export type PinnedPackage = {
  name: string;
  version: string;
  /** `any`, or for example `linux-x64`. */
  platform: string;
  /** The GPU backend; `any` for packages that are always needed. */
  gpu: 'any' | Gpu;
  /** Size of the archive. */
  bytes: number;
  /** As the registry publishes it: the algorithm, and the hash in base64. */
  integrity: string;
};

export const GPUS = ['vulkan', 'cuda'] as const;
export type Gpu = (typeof GPUS)[number];

export function readPackages(table: string): PinnedPackage[] {
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [name = '', version = '', platform = '', gpu = '', bytes = '', integrity = ''] = row.split(' ');
      return { name, version, platform, gpu: gpu as PinnedPackage['gpu'], bytes: Number(bytes), integrity };
    });
}

/** The URL of the archive in a registry. */
export function archiveAddress(registry: string, { name, version }: PinnedPackage): string {
  return `${registry.replace(/\/+$/, '')}/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`;
}
