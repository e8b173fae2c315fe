import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './paths.ts';

type Package = { version: string; repository?: { url?: string } };

const { version: ownVersion, repository } = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
) as Package;

export const version: string = ownVersion;

/** The repository page of this askd's release; undefined for a clone, whose package names none. */
export const repositoryPage: string | undefined = repository?.url?.replace(/^git\+|\.git$/g, '');
