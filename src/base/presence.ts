import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** How clients find the running daemon. Written once it is ready, removed when it stops. */
export type Presence = {
  pid: number;
  host: string;
  port: number;
  version: string;
  boot_id: string;
  started_at: string;
  /** The certificate as PEM, for a daemon on HTTPS: its own command line trusts only this one. */
  certificate?: string;
};

export function readPresence(path: string): Presence | undefined {
  try {
    const presence = JSON.parse(readFileSync(path, 'utf8')) as Presence;
    return isAlive(presence.pid) ? presence : undefined;
  } catch {
    return undefined;
  }
}

export function writePresence(path: string, presence: Presence): void {
  const temporary = `${path}.${presence.pid}`;
  writeFileSync(temporary, `${JSON.stringify(presence, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

/** Removes the file only if it still belongs to this daemon. */
export function removePresence(path: string, bootId: string): void {
  if (readPresence(path)?.boot_id === bootId) rmSync(path, { force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function baseUrls({ host, port, certificate }: Pick<Presence, 'host' | 'port' | 'certificate'>) {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const managementUrl = `${certificate === undefined ? 'http' : 'https'}://${name}:${port}`;
  return { base_url: `${managementUrl}/v1`, management_url: managementUrl };
}
