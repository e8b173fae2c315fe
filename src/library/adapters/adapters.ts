import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { Store } from '../../store/store.ts';
import { modelNotFound } from '../missing.ts';
import { checkAdapter } from './adapter-file.ts';

export type Adapter = { name: string; base: string; path: string; bytes: number; scale: number };

type Row = { name: string; base_id: string; path: string; bytes: number; scale: number };

type Parts = {
  store: Store;
  clock: Clock;
  /** By the name of a model, or of the service that it serves. */
  findBase: (model: string) => ModelManifest | undefined;
  servicesOf: (model: string) => string[];
};

/** Separates the name of a model from that of an adapter; no model has it in its own name. */
const SEPARATOR = '+';

/** LoRA adapters. `MODEL+NAME` is a separate model that shares only the weights. */
export function createAdapters({ store, clock, findBase, servicesOf }: Parts) {
  function list(): Adapter[] {
    return store
      .prepare<Row>('SELECT * FROM adapters ORDER BY created_at, name')
      .all()
      .map(({ base_id: base, ...row }) => ({ ...row, base }));
  }

  /** The model `MODEL+NAME`; undefined for any other name, or if the adapter belongs to another model. */
  function find(name: string): ModelManifest | undefined {
    const at = name.lastIndexOf(SEPARATOR);
    if (at <= 0) return undefined;
    const adapter = list().find((each) => each.name === name.slice(at + 1));
    const base = adapter && findBase(name.slice(0, at));
    return base && adapter.base === base.id ? adapted(base, adapter) : undefined;
  }

  function add({ name, path, base: baseName, scale }: Omit<Adapter, 'bytes'>): Adapter {
    const base = findBase(baseName);
    if (!base) throw modelNotFound(baseName, 'base');
    if (base.engine !== 'llama' || !base.tasks.includes('chat')) throw takesNone(base);
    if (base.id.includes(SEPARATOR))
      throw new Failure('invalid_value', `"${base.id}" has an adapter already; one at a time is applied.`, {
        param: 'base',
      });
    if (list().some((each) => each.name === name))
      throw new Failure('already_exists', `An adapter "${name}" already exists.`, {
        param: 'name',
        details: { fix: `askd adapter rm ${name}` },
      });
    if (!isAbsolute(path))
      throw new Failure('invalid_value', `The path must be absolute: ${path}`, { param: 'path' });
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) throw new Failure('not_found', `There is no file ${path}.`, { param: 'path' });
    checkAdapter({ path, base });
    store
      .prepare('INSERT INTO adapters(name, base_id, path, bytes, scale, created_at) VALUES(?, ?, ?, ?, ?, ?)')
      .run(name, base.id, path, found.size, scale, clock.now());
    return { name, base: base.id, path, bytes: found.size, scale };
  }

  function remove(name: string): Adapter {
    const adapter = list().find((each) => each.name === name);
    if (!adapter)
      throw new Failure('not_found', `There is no adapter "${name}".`, {
        details: { fix: 'askd adapter list' },
      });
    const model = `${adapter.base}${SEPARATOR}${name}`;
    const [service] = servicesOf(model);
    if (service !== undefined)
      throw new Failure('model_in_use', `"${model}" serves ${service}. Bind another first.`, {
        details: { fix: `askd bind ${service} ${adapter.base}` },
      });
    store.prepare('DELETE FROM adapters WHERE name = ?').run(name);
    return adapter;
  }

  return {
    list,
    find,
    add,
    remove,
    /** The models with an adapter, one for each adapter. */
    modelsOf: (artifacts: readonly ModelManifest[]): ModelManifest[] =>
      list().flatMap((adapter) => {
        const base = artifacts.find(({ id }) => id === adapter.base);
        return base ? [adapted(base, adapter)] : [];
      }),
    /** Removes the adapters of a removed model. */
    forget: (base: string): void => void store.prepare('DELETE FROM adapters WHERE base_id = ?').run(base),
  };
}

function adapted(base: ModelManifest, { name, path, scale, bytes }: Adapter): ModelManifest {
  return {
    ...base,
    id: `${base.id}${SEPARATOR}${name}`,
    name: `${base.name} with ${name}`,
    services: [],
    bytes: base.bytes + bytes,
    adapters: [...(base.adapters ?? []), { name, path, scale }],
  };
}

function takesNone({ id, engine, tasks }: ModelManifest): Failure {
  return new Failure(
    'model_capability_mismatch',
    `"${id}" runs on ${engine} and does ${tasks.join(', ')}; adapters are for chat models of the llama engine.`,
    { param: 'base' },
  );
}
