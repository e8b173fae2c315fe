import { isDeepStrictEqual } from 'node:util';
import { findSetting } from '../../src/config/setting-names.ts';
import type { AuditLog, AuditRecord } from '../../src/events/audit/audit-log.ts';
import type { Store } from '../../src/store/store.ts';
import type { Services } from '../compose.ts';
import { ROOT_TOKEN, SEAL_KEY, settingsInUse, type InUse } from './settings-in-use.ts';
import { shownSetting } from './shown-setting.ts';
import { stateOf } from './states.ts';

type Row = { name: string; shown: string; source: string; hash: Buffer };
type Change = { name: string; before: InUse | undefined; after: InUse | undefined };

const SETTING_CHANGE = 'setting.change';
const REQUESTS_MAX = 1_000_000;

/** Anyone who can edit the files of the home or start the daemon with other variables. */
const OPERATOR = { kind: 'operator' } as const;

/**
 * Records the settings that differ from the daemon's last run, except those that a request changed, which already
 * have a record. The first start is compared with the defaults, so that the log shows what every later record starts
 * from.
 */
export function recordSettings(services: Services): void {
  const { store, auditLog } = services;
  store.transaction(() => {
    const before = remembered(store);
    const after = settingsInUse(services);
    const isRequested = requestedSinceStart(services);
    for (const change of changesOf(before, after)) if (!isRequested(change)) record(auditLog, change);
    remember(store, after);
  });
}

function changesOf(before: ReadonlyMap<string, InUse>, after: ReadonlyMap<string, InUse>): Change[] {
  const isSameKey = before.get(SEAL_KEY)?.hash.equals(after.get(SEAL_KEY)?.hash ?? Buffer.alloc(0)) ?? false;
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const change = { name, before: before.get(name), after: after.get(name) };
    return isChange(change, isSameKey) ? [change] : [];
  });
}

function isChange({ name, before, after }: Change, isSameKey: boolean): boolean {
  if (name === SEAL_KEY) return before !== undefined && !isSameKey;
  if (name === ROOT_TOKEN && before === undefined) return false;
  if (before === undefined || after === undefined) return true;
  // Hashes made with another key of the home cannot be compared.
  return !isDeepStrictEqual(before.shown, after.shown) || (isSameKey && !before.hash.equals(after.hash));
}

/** The settings that were last changed by a request. */
function requestedSinceStart(services: Services): (change: Change) => boolean {
  const { auditLog } = services;
  const start = auditLog.latest('daemon.start')?.seq ?? 0;
  const wanted = { action: 'setting', outcome: 'succeeded', after: start, limit: REQUESTS_MAX } as const;
  const last = new Map<string, AuditRecord>();
  for (const each of auditLog.list(wanted).records) {
    const name = each.object === null ? undefined : findSetting(each.object)?.file;
    if (name !== undefined && each.action !== SETTING_CHANGE) last.set(name, each);
  }
  const rotation = auditLog.latest('root_token.rotate');
  const isRotated = rotation?.outcome === 'succeeded' && rotation.seq > start;
  return ({ name, after }) => {
    if (name === ROOT_TOKEN) return isRotated;
    const request = last.get(name);
    const isFromFile = after === undefined || after.source === 'file';
    const written = stateOf(services, 'setting', { accountId: '', object: name }) ?? null;
    return request !== undefined && isFromFile && isDeepStrictEqual(request.after, written);
  };
}

function record(auditLog: AuditLog, { name, before, after }: Change): void {
  const isKey = name === SEAL_KEY || name === ROOT_TOKEN;
  const isHidden = isDeepStrictEqual(before?.shown, after?.shown);
  auditLog.record({
    ...{ action: isKey ? 'key_file.change' : SETTING_CHANGE, actor: OPERATOR, outcome: 'succeeded' },
    object: name,
    before: stateOfSetting(name, before),
    after: { ...stateOfSetting(name, after), ...(isHidden && { value: 'changed' }) },
  });
}

function stateOfSetting(name: string, inUse: InUse | undefined): { value: unknown; source: string } {
  if (inUse !== undefined) return { value: inUse.shown, source: inUse.source };
  const setting = findSetting(name);
  return { value: setting ? shownSetting(setting.name, setting.standard) : null, source: 'default' };
}

function remembered(store: Store): Map<string, InUse> {
  const rows = store.prepare<Row>('SELECT name, shown, source, hash FROM daemon_settings').all();
  return new Map(
    rows.map(({ name, shown, source, hash }) => [
      name,
      { shown: JSON.parse(shown) as unknown, source, hash },
    ]),
  );
}

function remember(store: Store, inUse: ReadonlyMap<string, InUse>): void {
  store.prepare('DELETE FROM daemon_settings').run();
  const insert = store.prepare('INSERT INTO daemon_settings VALUES(@name, @shown, @source, @hash)');
  for (const [name, { shown, source, hash }] of inUse)
    insert.run({ name, shown: JSON.stringify(shown), source, hash });
}
