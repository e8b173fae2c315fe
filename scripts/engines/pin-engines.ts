import { readFileSync, writeFileSync } from 'node:fs';
import { packagesOf, type LockedPackage } from './locked-packages.ts';

/** Rewrites the tables of src/library/engines from package-lock.json and the registry's metadata of each archive. */
const ENGINES = [
  { file: 'vision-packages', constant: 'VISION_PACKAGES', roots: ['@fugood/llama.node'] },
  {
    file: 'diffusion-packages',
    constant: 'DIFFUSION_PACKAGES',
    roots: ['@qvac/diffusion-cpp', 'bare', 'bare-fs'],
  },
];
/** Built for machines or purposes that askd does not serve. */
const LEFT_OUT = /-(wasm|snapdragon)$/;
const REGISTRY = 'https://registry.npmjs.org';

const lock = readFileSync('package-lock.json', 'utf8');
for (const { file, constant, roots } of ENGINES) {
  const packages = packagesOf(lock, roots).filter(({ name }) => !LEFT_OUT.test(name));
  const rows: string[] = [];
  for (const locked of packages) rows.push(rowOf(locked, await archiveBytes(locked)));
  writeFileSync(`src/library/engines/${file}.ts`, tableText(constant, rows));
  console.log(`${file}: ${rows.length} packages`);
}

async function archiveBytes({ name, version }: LockedPackage): Promise<number> {
  const address = `${REGISTRY}/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`;
  const answer = await fetch(address, { method: 'HEAD' });
  const bytes = Number(answer.headers.get('content-length'));
  if (!answer.ok || !(bytes > 0)) throw new Error(`${address}: ${answer.status}, ${bytes} bytes`);
  return bytes;
}

function rowOf({ name, version, platform, integrity }: LockedPackage, bytes: number): string {
  const gpu = /-(cuda|vulkan)$/.exec(name)?.[1] ?? 'any';
  return `${name} ${version} ${platform ?? 'any'} ${gpu} ${bytes} ${integrity}`;
}

function tableText(constant: string, rows: readonly string[]): string {
  return [
    "import { readPackages } from './packages.ts';",
    '',
    '/** Name, version, platform, graphics, bytes of the archive and its hash. Made by `npm run pin:engines`. */',
    `export const ${constant} = readPackages(\``,
    ...rows,
    '`);',
    '',
  ].join('\n');
}
