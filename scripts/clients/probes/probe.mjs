import { log } from 'node:console';
import { performance } from 'node:perf_hooks';
import { env } from 'node:process';

export const baseURL = env.BASE_URL;
export const rootURL = baseURL.replace(/\/v1$/, '');
export const apiKey = env.API_KEY;
export const HELLO = 'Hello from askd.';
export const SAID = 'The file says: The launch code is 4711.';

/** Tries one feature and reports the outcome; the next one is tried in any case. */
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

/** What an application requests: formats, bounds, choices and lists, as zod 3 and 4 write them. */
export function visitOf(z) {
  const guest = z.object({ kind: z.literal('guest'), name: z.string().min(1).max(8) });
  const member = z.object({ kind: z.literal('member'), id: z.string().uuid() });
  return z.object({
    who: z.union([guest, member]),
    email: z.string().email(),
    at: z.string().datetime(),
    rating: z.number().int().min(1).max(5),
    tags: z.array(z.enum(['new', 'late'])).max(2),
    note: z.string().max(5).nullable(),
  });
}

/** More than any model here can read. */
export const LONG = 'No conversation is as long as this one. '.repeat(2000);

/** The client must tell its user at once, and not retry again and again. */
export async function expectRefusal(ask) {
  const begin = performance.now();
  const error = await ask().then(
    () => undefined,
    (thrown) => thrown,
  );
  expectTrue(/context/i.test(String(error?.message)), `no refusal: ${String(error)}`);
  expectTrue(performance.now() - begin < 1000, 'it was asked more than once');
}
