import { version } from '../../src/base/version.ts';
import type { Services } from '../compose.ts';
import { recordSettings } from './record-settings.ts';

const ACTOR = { kind: 'daemon' } as const;

/** Records the start and, before it, whether the version or the settings differ from the last run. */
export function recordStart(services: Services): void {
  const { auditLog, boot } = services;
  const earlier = versionOf(auditLog.latest('daemon.start')?.after);
  const about = { actor: ACTOR, outcome: 'succeeded', object: boot.id } as const;
  if (earlier !== undefined && earlier !== version)
    auditLog.record({ ...about, action: 'daemon.upgrade', before: { version: earlier }, after: { version } });
  recordSettings(services);
  const { host, port } = boot.address();
  auditLog.record({ ...about, action: 'daemon.start', after: { version, host, port } });
}

/** A daemon that was killed has none. */
export function recordStop({ auditLog, boot }: Pick<Services, 'auditLog' | 'boot'>): void {
  auditLog.record({ action: 'daemon.stop', actor: ACTOR, outcome: 'succeeded', object: boot.id });
}

function versionOf(state: string | null | undefined): string | undefined {
  return state == null ? undefined : (JSON.parse(state) as { version?: string }).version;
}
