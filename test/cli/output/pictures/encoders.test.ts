import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { iterm2Picture } from '../../../../cli/output/pictures/iterm2.ts';
import { kittyPicture, kittyPlaceholders } from '../../../../cli/output/pictures/kitty.ts';
import { fewColors, scalePicture } from '../../../../cli/output/pictures/scale.ts';
import { sixelPicture } from '../../../../cli/output/pictures/sixel.ts';
import { displayWidth } from '../../../../cli/output/display-width.ts';
import { sanitise } from '../../../../cli/output/sanitise.ts';
import {
  decodeIterm2,
  decodeKitty,
  decodeSixel,
  gradientFile,
  pixelsOf,
} from '../../../helpers/terminal/pictures.ts';

/** Colours that sixel, which counts in percent, can specify exactly. */
const shade = fc
  .integer({ min: 0, max: 20 })
  .map((step) => step * 12.75)
  .map(Math.round);
const pixel = fc.tuple(shade, shade, shade, fc.constantFrom(0, 255));
const image = fc
  .tuple(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 20 }),
    fc.array(pixel, { minLength: 1, maxLength: 12 }),
  )
  .chain(([width, height, colors]) =>
    fc
      .array(fc.constantFrom(...colors), { minLength: width * height, maxLength: width * height })
      .map((pixels) => ({ width, height, data: Uint8Array.from(pixels.flat()) })),
  );

/** Transparent pixels have no colour. */
function shown(data: Uint8Array): number[] {
  return Array.from(data, (value, index) => (data[index - (index % 4) + 3] === 0 ? 0 : value));
}

describe('sixel', () => {
  test('a terminal paints each pixel of an image in its colour, and nothing where it is transparent', () => {
    fc.assert(
      fc.property(image, (pixels) => {
        const { data, width, height } = decodeSixel(sixelPicture(pixels));
        expect({ width, height }).toEqual({ width: pixels.width, height: pixels.height });
        const wanted = shown(pixels.data);
        const largest = Math.max(
          ...shown(data).map((value, index) => Math.abs(value - (wanted[index] ?? -9))),
        );
        expect(largest).toBeLessThanOrEqual(2);
      }),
    );
  });

  test('a photo still looks right with 256 colours', async () => {
    const file = await gradientFile(120, 80);
    const { data } = decodeSixel(sixelPicture(await fewColors(file)));
    const { data: wanted } = await pixelsOf(file);
    const difference = data.reduce((sum, value, at) => sum + Math.abs(value - (wanted[at] ?? 0)), 0);
    expect(difference / data.length).toBeLessThan(8);
  });
});

describe('kitty and iTerm2', () => {
  test("kitty's pieces join to the image, each no longer than the protocol allows", async () => {
    await fc.assert(
      fc.asyncProperty(image, async (pixels) => {
        const { data, width, height } = pixels;
        const png = await sharp(data, { raw: { width, height, channels: 4 } })
          .png()
          .toBuffer();
        const pieces = kittyPicture(png, 'a=T,c=4');
        const { settings, picture } = await decodeKitty(pieces.join(''));
        expect(settings).toMatch(/^a=T,c=4,f=100,q=2,m=[01]$/);
        expect(shown(picture.data)).toEqual(shown(data));
      }),
      { numRuns: 30 },
    );
    const noise = await sharp({
      create: {
        width: 90,
        height: 90,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    const pieces = kittyPicture(noise, 'a=T');
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(/;(.*)\u001b/.exec(piece)?.[1]?.length).toBeLessThanOrEqual(4096); // eslint-disable-line no-control-regex -- it ends the piece
    expect((await decodeKitty(pieces.join(''))).picture).toEqual(await pixelsOf(noise));
  });

  test('iTerm2 gets the file with its length and its size in characters', async () => {
    const png = await gradientFile(30, 20);
    const { settings, picture } = await decodeIterm2(iterm2Picture(png, { columns: 6, rows: 2 }));
    expect(settings).toBe(`size=${png.length};width=6;height=2;preserveAspectRatio=1;inline=1`);
    expect(picture).toEqual(await pixelsOf(png));
  });

  test('the placeholder of an image in tmux is as wide as the image, and all its lines differ', () => {
    const lines = kittyPlaceholders(7, { columns: 12, rows: 5 });
    expect(lines).toHaveLength(5);
    expect(new Set(lines).size).toBe(5);
    for (const line of lines) {
      expect(line).toContain('\u001b[38;5;7m');
      expect(displayWidth(sanitise(line))).toBe(12);
    }
  });
});

describe('the size', () => {
  test('fits the box and keeps the proportions of the image, which is never enlarged', async () => {
    await fc.assert(
      fc.asyncProperty(
        ...([1, 2, 3, 4].map(() => fc.integer({ min: 1, max: 300 })) as [
          fc.Arbitrary<number>,
          fc.Arbitrary<number>,
          fc.Arbitrary<number>,
          fc.Arbitrary<number>,
        ]),
        async (width, height, most, highest) => {
          const file = await sharp({ create: { width, height, channels: 3, background: 'lime' } })
            .png()
            .toBuffer();
          const scaled = await scalePicture(file, { width: most, height: highest });
          const scale = Math.min(1, most / width, highest / height);
          expect(Math.abs(scaled.width - Math.max(1, width * scale))).toBeLessThanOrEqual(1);
          expect(Math.abs(scaled.height - Math.max(1, height * scale))).toBeLessThanOrEqual(1);
          expect(await sharp(scaled.png).metadata()).toMatchObject({ format: 'png', width: scaled.width });
        },
      ),
      { numRuns: 30 },
    );
  });

  test('a rotated photo is shown upright', async () => {
    const photo = await sharp(await gradientFile(40, 20, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(await scalePicture(photo, { width: 100, height: 100 })).toMatchObject({ width: 20, height: 40 });
  });
});
