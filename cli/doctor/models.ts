import { findDaemon } from '../daemon-control/process.ts';
import type { Check } from './check.ts';

/** Checks that need the daemon; `askd doctor` does not start one for them. */
export const checkModels: Check = async ({ connect, options: { host }, paths, signal }, { hashes }) => {
  if (host === undefined && (await findDaemon({ paths, signal })) === undefined) return [];
  const client = await connect();
  const { findings } = await client.examine({ hashes });
  return findings;
};
