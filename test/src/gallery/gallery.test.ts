import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGallery } from '../../../src/gallery/gallery.ts';
import { createSignatures } from '../../../src/gallery/signature.ts';
import { openSeal } from '../../../src/base/sealed.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const START = Date.UTC(2026, 10, 20);

function openGallery({ keepMs = 60_000, budgetBytes = 1000 } = {}) {
  const home = temporaryFolder();
  const folder = join(home, 'images');
  const time = { now: START };
  const clock = { now: () => time.now };
  const gallery = createGallery({
    folder,
    keys: openSeal(join(home, 'seal-key')),
    clock,
    keepMs,
    budgetBytes,
  });
  const files = () => (existsSync(folder) ? readdirSync(folder).sort() : []);
  return { gallery, time, folder, files };
}

describe('a gallery', () => {
  test('returns what it keeps, until the address expires', async () => {
    const { gallery, time } = openGallery();
    const address = await gallery.keep(Buffer.from('picture'), 'webp');
    expect(address.expires).toBe(START / 1000 + 60);
    const kept = await gallery.open(address);
    expect({ ...kept, content: (await buffer(kept.content)).toString() }).toEqual({
      type: 'image/webp',
      bytes: 7,
      expires: address.expires,
      content: 'picture',
    });
    time.now += 60_000;
    await expect(gallery.open(address)).rejects.toMatchObject({ code: 'image_expired' });
  });

  test('deletes expired and unfinished images, and nothing else', async () => {
    const { gallery, time, files, folder } = openGallery();
    const { name } = await gallery.keep(Buffer.from('old'), 'png');
    writeFileSync(join(folder, `${name}.part`), 'half of one');
    writeFileSync(join(folder, 'notes.txt'), 'of the owner');
    time.now += 30_000;
    const young = await gallery.keep(Buffer.from('young'), 'png');
    expect(files()).toEqual([name, young.name, 'notes.txt'].sort());
    time.now += 30_000;
    await gallery.prune();
    expect(files()).toEqual([young.name, 'notes.txt'].sort());
  });

  test('deletes the oldest when its space is used up, and says so', async () => {
    const { gallery, time } = openGallery({ budgetBytes: 250 });
    const addresses = [];
    for (let count = 0; count < 3; count++) {
      addresses.push(await gallery.keep(Buffer.alloc(100), 'png'));
      time.now += 1000;
    }
    const [first, second, third] = addresses;
    if (!first || !second || !third) throw new Error('three were kept');
    await expect(gallery.open(first)).rejects.toMatchObject({ code: 'image_expired' });
    for (const address of [second, third]) (await gallery.open(address)).content.destroy();
  });

  test('refuses an image that is larger than all its space', async () => {
    const { gallery, files } = openGallery({ budgetBytes: 50 });
    await expect(gallery.keep(Buffer.alloc(51), 'png')).rejects.toMatchObject({ code: 'disk_full' });
    expect(files()).toEqual([]);
  });

  test('never exceeds its space, whatever arrives and however many at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }), {
          maxLength: 5,
        }),
        async (rounds) => {
          const { gallery, time, folder, files } = openGallery({ budgetBytes: 400 });
          for (const sizes of rounds) {
            await Promise.all(sizes.map((size) => gallery.keep(Buffer.alloc(size), 'png')));
            const contents = await Promise.all(files().map((name) => bytesOf(join(folder, name))));
            expect(contents.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(400);
            time.now += 1000;
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

async function bytesOf(path: string): Promise<number> {
  const { stat } = await import('node:fs/promises');
  return (await stat(path)).size;
}

test('a signature is valid only for its own name and time', () => {
  const signatures = createSignatures(openSeal(join(temporaryFolder(), 'seal-key')));
  const others = createSignatures(openSeal(join(temporaryFolder(), 'seal-key')));
  const signed = fc.record({ name: fc.string(), expires: fc.nat() });
  fc.assert(
    fc.property(signed, signed, (one, other) => {
      expect(signatures.isGenuine(one, signatures.sign(one))).toBe(true);
      expect(others.isGenuine(one, signatures.sign(one))).toBe(false);
      const isSame = one.name === other.name && one.expires === other.expires;
      expect(signatures.isGenuine(other, signatures.sign(one))).toBe(isSame);
    }),
  );
});
