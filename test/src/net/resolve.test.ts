import { expect, test } from 'vitest';
import { createResolve } from '../../../src/net/resolve.ts';

test('a name that many requests need at once is looked up once', async () => {
  let lookups = 0;
  const resolve = createResolve(async () => (lookups++, ['93.184.215.14']));
  const answers = await Promise.all([
    resolve('a.example.com'),
    resolve('a.example.com'),
    resolve('a.example.com'),
  ]);
  expect(answers).toEqual(Array(3).fill(['93.184.215.14']));
  expect(lookups).toBe(1);
  await resolve('a.example.com');
  expect(lookups).toBe(2);
});

test('few names are looked up at once, and all eventually', async () => {
  let running = 0;
  let most = 0;
  const resolve = createResolve(async (host) => {
    most = Math.max(most, ++running);
    await new Promise((done) => setImmediate(done));
    running -= 1;
    return [host];
  });
  const hosts = Array.from({ length: 20 }, (_, index) => `${index}.example.com`);
  expect(await Promise.all(hosts.map(resolve))).toEqual(hosts.map((host) => [host]));
  expect(most).toBe(2);
});

test('an unknown name and a silent name server have different errors', async () => {
  const failing = (code: string) =>
    createResolve(() => Promise.reject(Object.assign(new Error(code), { code })))('a.example.com');
  await expect(failing('ENOTFOUND')).rejects.toMatchObject({ kind: 'dns_not_found' });
  await expect(failing('EAI_AGAIN')).rejects.toMatchObject({ kind: 'dns_unavailable' });
});
