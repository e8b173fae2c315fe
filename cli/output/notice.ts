import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Client } from '../client/client.ts';
import type { Context } from '../context.ts';

const REPEATED_AFTER_MS = 12 * 60 * 60 * 1000;

/** Prints the model's notice, at most twice a day. Failing to get it is not an error: the request itself will tell. */
export async function printNotice(
  { output, paths }: Pick<Context, 'output' | 'paths'>,
  client: Client,
  model: string,
): Promise<void> {
  if (output.quiet) return;
  const { local } = (await client.model(model).catch(() => undefined)) ?? {};
  if (!local?.notice || local.state === 'not_installed') return;
  // The progress of a download does not make it a new notice.
  if (isDue(paths.shownNotices, local.notice.replace(/\d+%/, '%'))) output.note(`note: ${local.notice}`);
}

/** Remembers in a file which notices were shown when. Without the file, a notice is merely shown once too often. */
function isDue(file: string, notice: string): boolean {
  const now = Date.now();
  const recent = Object.fromEntries(
    Object.entries(readShown(file)).filter(([, at]) => at <= now && now - at < REPEATED_AFTER_MS),
  );
  if (recent[notice] !== undefined) return false;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...recent, [notice]: now }), { mode: 0o600 });
  } catch {
    // The home may be read-only.
  }
  return true;
}

function readShown(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}
