import { AVAILABLE_ENGINES, TASKS, TIERS, type HubFile, type ModelManifest } from '../../runtime/manifest.ts';

/** The fields that an entry may have. A catalogue cannot say anything about this machine, such as paths. */
const OPTIONAL = [
  'licenceTerms',
  'notice',
  'embedding',
  'speech',
  'moderation',
  'drawing',
  'memory',
  'verified',
] as const satisfies readonly (keyof ModelManifest)[];

const ID = /^[a-z0-9]+([._-][a-z0-9]+)*$/;
const REPO = /^\w[\w.-]*\/\w[\w.-]*$/;
const PATH = /^\w[\w.-]*(\/\w[\w.-]*)*$/;
const REVISION = /^[0-9a-f]{40}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** An entry of a downloaded catalogue, with its known fields and nothing else. */
export function checkEntry(given: unknown): ModelManifest {
  must(isRecord(given), 'an entry is not an object');
  const entry = given as ModelManifest;
  const { id, name, why = '', engine, tasks, services, tier, licence, contextTokensMax, hub = [] } = entry;
  must(matches(id, ID), `${JSON.stringify(id)} is not an id`);
  must([name, why, licence].every(isText), `${id} lacks its name, licence or reason`);
  must(AVAILABLE_ENGINES.includes(engine), `${id} needs an unknown engine`);
  must(isListOf(tasks, TASKS) && tasks.length > 0, `${id} has an unknown task`);
  must(Array.isArray(services) && services.every(isText), `${id} has no list of services`);
  must(
    TIERS.some((each) => each === tier),
    `${id} has an unknown tier`,
  );
  must(Number.isSafeInteger(contextTokensMax), `${id} has no context length`);
  must(Array.isArray(hub) && hub.length > 0, `${id} has no files`);
  for (const file of hub) checkFile(file, id);
  must(new Set(hub.map(({ role }) => role)).size === hub.length, `${id} has two files in one role`);
  for (const field of OPTIONAL.filter((each) => each !== 'notice' && entry[each] !== undefined))
    must(isRecord(entry[field]), `${field} of ${id} is not an object`);
  return {
    ...{ id, name, why, engine, tasks, services, tier, licence },
    ...{ contextTokensMax, hub, path: '', bytes: hub.reduce((sum, { bytes }) => sum + bytes, 0) },
    ...Object.fromEntries(
      OPTIONAL.filter((each) => entry[each] !== undefined).map((each) => [each, entry[each]]),
    ),
  };
}

function checkFile({ role, repo, path, revision, bytes, sha256 }: HubFile, id: string): void {
  must(isText(role), `a file of ${id} has no role`);
  must(matches(repo, REPO) && matches(path, PATH), `a file of ${id} has an unusable address`);
  must(revision === undefined || matches(revision, REVISION), `a revision of ${id} is not a commit`);
  must(Number.isSafeInteger(bytes) && bytes > 0, `a file of ${id} has no size`);
  must(sha256 === undefined || matches(sha256, SHA256), `a hash of ${id} is not a sha256`);
}

function isListOf(list: unknown, known: readonly string[]): boolean {
  return Array.isArray(list) && list.every((each) => known.includes(each as string));
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function must(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}
