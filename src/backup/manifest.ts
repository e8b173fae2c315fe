import { Failure } from '../base/errors.ts';
import { MIGRATIONS } from '../store/migrations.ts';
import { version } from '../base/version.ts';

export const FORMAT = 'askd-backup/1';

export const DATABASE = 'askd.db';
export const SECRETS = 'secrets.sealed';
export const MANIFEST = 'manifest.json';

/** The only names that an archive may contain, and so the only ones ever written to a disk. */
const MEMBER_NAME =
  /^(?:askd\.db|config\.json|chat-history|secrets\.sealed|manifest\.json|(?:chats|upstreams)\/[A-Za-z0-9][\w.-]{0,80}\.json)$/;

export type Member = { name: string; bytes: number; sha256: string };

/** A model whose files are not in the archive. */
export type BackedUpModel = {
  id: string;
  path: string;
  bytes: number;
  files: readonly string[];
  pull: string | null;
};

/** The last member of an archive; it describes the others. */
export type Manifest = {
  format: typeof FORMAT;
  askd: string;
  schema: number;
  created_at: string;
  members: readonly Member[];
  secrets: { names: readonly string[]; sealed: boolean };
  models: readonly BackedUpModel[];
  webhooks: readonly string[];
};

export function isMemberName(name: string): boolean {
  return MEMBER_NAME.test(name);
}

/** The bytes that bind the sealed secrets to the other members, so that a change to either is detected. */
export function membersDigestInput(members: readonly Member[]): string {
  const others = members.filter(({ name }) => name !== SECRETS && name !== MANIFEST);
  return JSON.stringify(others.map(({ name, bytes, sha256 }) => [name, bytes, sha256]).sort());
}

export function readManifest(text: string): Manifest {
  const parsed = parseJson(text) as Partial<Manifest> | null | undefined;
  if (parsed?.format !== FORMAT) throw notABackup(`it is not of the format ${FORMAT}`);
  const isWhole =
    [parsed.askd, parsed.created_at].every((each) => typeof each === 'string') &&
    Number.isInteger(parsed.schema) &&
    isListOf(
      parsed.members,
      ({ name, bytes, sha256 }) => isMemberName(String(name)) && Number.isInteger(bytes) && isSum(sha256),
    ) &&
    isListOf(
      parsed.models,
      ({ id, path, files }) => typeof id === 'string' && typeof path === 'string' && Array.isArray(files),
    ) &&
    Array.isArray(parsed.webhooks) &&
    Array.isArray(parsed.secrets?.names);
  if (!isWhole) throw notABackup('its manifest is incomplete');
  return parsed as Manifest;
}

/** The schema in the file itself counts, not what the manifest says about it. */
export function refuseNewer(schema: number, { askd }: Pick<Manifest, 'askd'>): void {
  const known = MIGRATIONS.length;
  if (schema <= known) return;
  throw new Failure(
    'schema_too_new',
    `The backup was made by a newer askd, ${askd} (schema ${schema}; this one, ${version}, knows ${known}).`,
    { details: { fix: `npm install -g askd@${askd} --allow-scripts=better-sqlite3` } },
  );
}

export function notABackup(reason: string): Failure {
  return new Failure(
    'backup_damaged',
    `This is not a complete backup of askd: ${reason}. Nothing was changed.`,
  );
}

function isListOf(value: unknown, isItem: (item: Record<string, unknown>) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (item) => typeof item === 'object' && item !== null && isItem(item as Record<string, unknown>),
    )
  );
}

function isSum(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
