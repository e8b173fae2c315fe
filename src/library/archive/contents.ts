import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { ArchivedSettings } from './settings.ts';

/** The first member of an archive: it describes the others and what they belong to. */
export type Contents = {
  format: 'askd-archive';
  version: 1;
  models: ArchivedModel[];
  bindings: ArchivedBinding[];
  files: ArchivedFile[];
  /** askd itself and its installer, for a machine without one. Nothing of it is imported. */
  install?: ArchivedBytes[];
  settings?: ArchivedSettings;
};

export type ArchivedBinding = {
  service: string;
  artifact: string;
  /** In order: models of the archive, and starters, which every askd has. Absent in older archives. */
  fallbacks?: string[];
};

/** All paths are relative to the model's own folder, with slashes. */
export type ArchivedModel = {
  manifest: ModelManifest;
  aliases: string[];
  /** Its draft model, which is also in the archive. */
  draft?: string;
};

export type ArchivedBytes = {
  /** Its name in the archive. */
  member: string;
  bytes: number;
  sha256: string;
};

export type ArchivedFile = ArchivedBytes & { model: string; path: string };

export const CONTENTS_MEMBER = 'askd-archive.json';
export const CONTENTS_BYTES_MAX = 16 * 1024 * 1024;

const ID = /^[A-Za-z0-9]+([._/:+-][A-Za-z0-9]+)*$/;
const FILES_MAX = 10_000;
const SETTINGS_MAX = 200;

export function parseContents(text: string): Contents {
  try {
    const contents = JSON.parse(text) as Contents;
    check(contents);
    return contents;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw damaged(`its list of contents is unusable: ${reason}`, cause);
  }
}

function check({ format, version, models, bindings, files, install = [], settings = {} }: Contents): void {
  must(format === 'askd-archive', 'it has another format');
  must(version === 1, `its version is ${String(version)}; this askd reads 1`);
  must([models, bindings, files, install].every(Array.isArray), 'a list is missing');
  must(files.length + install.length <= FILES_MAX, `it has more than ${FILES_MAX} files`);
  const ids = new Set(models.map(({ manifest }) => manifest.id));
  must(ids.size === models.length, 'a model is listed twice');
  for (const model of models) checkModel(model);
  for (const binding of bindings) checkBinding(binding, ids);
  const members = [...install, ...files].map(({ member }) => member);
  must(new Set(members).size === members.length, 'a file is listed twice');
  must(
    new Set(files.map(({ model, path }) => `${model} ${path}`)).size === files.length,
    'a path is used twice',
  );
  for (const file of files) checkFile(file, ids);
  for (const each of install) checkBytes(each);
  must(isRecord(settings), 'its settings are not an object');
  must(Object.keys(settings).length <= SETTINGS_MAX, `it has more than ${SETTINGS_MAX} settings`);
}

function checkModel({ manifest, aliases }: ArchivedModel): void {
  const { id, path, files = {}, adapters = [], tasks } = manifest;
  must(isText(id) && ID.test(id) && id.length <= 100, `${JSON.stringify(id)} is not an id`);
  must(Array.isArray(tasks) && tasks.every(isText), `"${id}" has no tasks`);
  must(Array.isArray(aliases) && aliases.every((alias) => ID.test(alias)), `"${id}" has an unusable alias`);
  for (const each of [path, ...Object.values(files), ...adapters.map((adapter) => adapter.path)])
    must(each === '.' || isInside(each), `${JSON.stringify(each)} points outside its folder`);
}

function checkBinding(
  { service, artifact, fallbacks = [] }: ArchivedBinding,
  ids: ReadonlySet<string>,
): void {
  must(isText(service) && ids.has(artifact), `"${String(artifact)}" is bound but not included`);
  must(Array.isArray(fallbacks) && fallbacks.every(isText), `the fallbacks of ${service} are not a list`);
}

function checkFile({ model, path, ...file }: ArchivedFile, ids: ReadonlySet<string>): void {
  must(isInside(path), `${JSON.stringify(path)} points outside its folder`);
  must(ids.has(model), `${file.member} belongs to no model`);
  checkBytes(file);
}

function checkBytes({ member, bytes, sha256 }: ArchivedBytes): void {
  must(isText(member), 'a file has no name');
  must(Number.isSafeInteger(bytes) && bytes >= 0, `${member} has no size`);
  must(/^[0-9a-f]{64}$/.test(sha256), `${member} has no hash`);
}

/** Path segments, none of which leads anywhere but down. */
function isInside(path: unknown): boolean {
  return (
    isText(path) &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') &&
    !/[\\:\0]/.test(path)
  );
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function must(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}

export function damaged(why: string, cause?: unknown): Failure {
  return new Failure('archive_invalid', `The archive cannot be imported: ${why}. Nothing was changed.`, {
    param: 'path',
    cause,
  });
}
