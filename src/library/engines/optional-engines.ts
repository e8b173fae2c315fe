import { DIFFUSION_PACKAGES } from './diffusion-packages.ts';
import { GPUS, type Gpu, type PinnedPackage } from './packages.ts';
import { VISION_PACKAGES } from './vision-packages.ts';

export const OPTIONAL_ENGINE_NAMES = ['vision', 'diffusion'] as const;
export type OptionalEngineName = (typeof OPTIONAL_ENGINE_NAMES)[number];

/** An engine too large for every install: exact packages of the npm registry, fetched on request. */
export type OptionalEngine = {
  name: OptionalEngineName;
  purpose: string;
  /** The package that the runner loads; the others are its dependencies. */
  main: string;
  packages: readonly PinnedPackage[];
};

export const OPTIONAL_ENGINES: readonly OptionalEngine[] = [
  {
    name: 'vision',
    purpose: 'chat about images (svc-vision-v1)',
    main: '@fugood/llama.node',
    packages: VISION_PACKAGES,
  },
  {
    name: 'diffusion',
    purpose: 'making images (svc-image-v1)',
    main: '@qvac/diffusion-cpp',
    packages: DIFFUSION_PACKAGES,
  },
];

export type Platform = { platform: string; gpu?: Gpu };

export const thisPlatform = `${process.platform}-${process.arch}`;

/** The packages that a platform and graphics card need; undefined if there is no build. */
export function packagesFor({ packages }: OptionalEngine, { platform, gpu }: Platform): PinnedPackage[] {
  const fitting = packages.filter((each) => each.platform === 'any' || each.platform === platform);
  const chosen = fitting.filter((each) => each.gpu === 'any' || each.gpu === gpu);
  return chosen.some((each) => each.platform === platform) ? chosen : [];
}

/** The graphics cards that an engine has builds for on this platform. */
export function gpusOf(engine: OptionalEngine, platform: string): Gpu[] {
  return GPUS.filter((gpu) => packagesFor(engine, { platform, gpu }).some((each) => each.gpu === gpu));
}

export function versionOf({ main, packages }: OptionalEngine): string {
  return packages.find(({ name }) => name === main)?.version ?? '';
}
