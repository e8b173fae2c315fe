import { log } from 'node:console';
import { env } from 'node:process';

export const baseURL = env.BASE_URL;
export const rootURL = baseURL.replace(/\/v1$/, '');
export const apiKey = env.API_KEY;
export const HELLO = 'Hello from askd.';
export const SAID = 'The file says: The launch code is 4711.';

/** Tries one feature and tells how that went; the next one is tried in any case. */
export async function feature(name, work) {
  try {
    await work();
    log(JSON.stringify({ name, isOk: true }));
  } catch (error) {
    log(JSON.stringify({ name, isOk: false, error: String(error?.message ?? error).slice(0, 300) }));
  }
}

export function expect(seen, wanted) {
  const [a, b] = [seen, wanted].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`saw ${a}, wanted ${b}`);
}

export function expectTrue(fact, what) {
  if (!fact) throw new Error(what);
}
