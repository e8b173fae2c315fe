export type LockedPackage = {
  name: string;
  version: string;
  integrity: string;
  platform: string | undefined;
};

type Entry = {
  version: string;
  integrity: string;
  os?: string[];
  cpu?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

/** These packages and all their dependencies, as in package-lock.json. */
export function packagesOf(lockText: string, roots: readonly string[]): LockedPackage[] {
  const { packages } = JSON.parse(lockText) as { packages: Record<string, Entry> };
  const found = new Map<string, LockedPackage>();

  function visit(name: string, parent: string): void {
    const nested = `${parent}/node_modules/${name}`;
    const place = nested in packages ? nested : `node_modules/${name}`;
    const entry = packages[place];
    if (entry === undefined || found.has(name)) return;
    const { version, integrity, os, cpu } = entry;
    const platform = os && cpu ? `${os[0] ?? ''}-${cpu[0] ?? ''}` : undefined;
    found.set(name, { name, version, integrity, platform });
    for (const needed of neededBy(entry)) visit(needed, place);
  }

  for (const root of roots) visit(root, '');
  return [...found.values()];
}

function neededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Entry) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}
