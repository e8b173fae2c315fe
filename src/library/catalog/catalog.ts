import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import { writePrivateFile } from '../../base/private-file.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import { catalogOutdated, catalogUnavailable } from './failures.ts';
import { fetchCatalog, type CatalogAccess } from './fetch-catalog.ts';
import { CATALOG_KEYS } from './keys.ts';
import { parsePayload } from './payload.ts';
import { openSigned } from './signature.ts';

/** The number and date of a catalogue. */
export type Edition = { serial: number; issued: string };

export type CatalogSource = Edition & {
  /** The key that signed it, and until when it is valid; null for the one that came with this version of askd. */
  signed: { key: string; expires: string } | null;
};

export type CatalogChange = {
  before: CatalogSource;
  isCurrent: boolean;
  added: string[];
  changed: string[];
  removed: string[];
};

export type CatalogOptions = {
  /** Came with this version, and is used unless a newer one has been downloaded. */
  builtIn: { models: readonly ModelManifest[]; edition: Edition };
  /** Where the downloaded one is stored. */
  path: string;
  /** Empty if this askd does not know where catalogues are published. */
  url: string;
  /** Trusted in addition to askd's own keys. */
  keys: readonly string[];
  access: CatalogAccess;
  isOffline: boolean;
  clock: Clock;
};

type Held = { source: CatalogSource; models: readonly ModelManifest[] };

export type Catalog = ReturnType<typeof createCatalog>;

/** The models that can be downloaded, from the catalogue of this version or a newer signed one. */
export function createCatalog({ builtIn, path, url, access, isOffline, clock, ...options }: CatalogOptions) {
  const keys = [...CATALOG_KEYS, ...options.keys];
  const shipped = builtIn.models.filter(({ hub }) => hub === undefined);
  const original: Held = {
    source: { ...builtIn.edition, signed: null },
    models: builtIn.models.filter(({ hub }) => hub !== undefined),
  };
  let problem: string | undefined;
  let held = readHeld();

  /** A file that was changed on the disk is treated like a missing one. */
  function readHeld(): Held {
    if (!existsSync(path)) return original;
    try {
      const kept = read(readFileSync(path, 'utf8'));
      return kept.source.serial > original.source.serial ? kept : original;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      return original;
    }
  }

  function read(file: string): Held {
    const { catalog, key } = openSigned(file, keys);
    const { serial, issued, expires, models } = parsePayload(catalog);
    return { source: { serial, issued, signed: { key, expires } }, models };
  }

  /** Undefined if it is the same as the one in use. */
  function newer(found: Held): Held | undefined {
    const { serial, issued, signed } = found.source;
    if (signed && Date.parse(signed.expires) <= clock.now()) {
      throw catalogOutdated(`It was issued on ${issued} and expired on ${signed.expires}`);
    }
    const { source } = held;
    if (serial > source.serial) return found;
    if (serial === source.serial && isDeepStrictEqual(plain(found.models), plain(held.models)))
      return undefined;
    const isOlder = serial < source.serial;
    const relation = isOlder ? `older than number ${source.serial}` : 'not the same as';
    throw catalogOutdated(
      `It is number ${serial} of ${issued}, ${relation} the one in use of ${source.issued}`,
    );
  }

  return {
    models: (): readonly ModelManifest[] => [...shipped, ...held.models],
    source: (): CatalogSource => held.source,
    /** Why the file that was downloaded is not used. */
    problem: (): string | undefined => problem,

    /** Uses the published catalogue if it is newer than this one. */
    async update(signal: AbortSignal): Promise<CatalogChange> {
      if (isOffline) {
        throw new Failure('offline', 'askd is offline, so it downloads no catalogue.', {
          details: { fix: 'askd config unset offline, then askd restart' },
        });
      }
      if (url === '') throw unpublished();
      const file = await fetchCatalog(url, access, signal);
      const next = newer(read(file));
      const before = held;
      if (next) {
        writePrivateFile(path, file);
        held = next;
        problem = undefined;
      }
      return { before: before.source, isCurrent: next === undefined, ...compare(before.models, held.models) };
    },
  };
}

function compare(before: readonly ModelManifest[], after: readonly ModelManifest[]) {
  const old = new Map(before.map((model) => [model.id, plain(model)]));
  const ids = new Set(after.map(({ id }) => id));
  return {
    added: after.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    changed: after
      .filter((model) => old.has(model.id) && !isDeepStrictEqual(plain(model), old.get(model.id)))
      .map(({ id }) => id),
    removed: [...old.keys()].filter((id) => !ids.has(id)),
  };
}

/** As it is after being written to a file and read back. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function unpublished(): Failure {
  return catalogUnavailable('This askd does not know where catalogues are published.', {
    fix: 'askd config set catalog_url URL, then askd restart',
  });
}
