import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of the packages that these files belong to, which must accompany a bundle of them. */
export function licencesOf(files: readonly string[]): string {
  const folders = [...new Set(files.flatMap((file) => folderOf(file) ?? []))].sort();
  return ['# Licences of the packages in this bundle', ...folders.map(licenceOf)].join('\n\n');
}

/** The folder of the package that a file belongs to: the last one below a `node_modules`. */
const folderOf = (file: string) =>
  /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(file)?.[0];

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license: string;
  };
  const texts = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
  const [text = 'Its package carries no text of it.'] = texts.map((file) =>
    readFileSync(join(folder, file), 'utf8').trim(),
  );
  return `## ${name} ${version} (${license})\n\n${text}\n`;
}
