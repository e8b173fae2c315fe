import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawnSize, pixelsOf } from '../../../../models/engines/diffusion/size.ts';

const SIZES = [
  { width: 1024, height: 1024 },
  { width: 1792, height: 1024 },
  { width: 1024, height: 1792 },
];

test('a model that was trained for as many pixels draws exactly the requested size', () => {
  for (const size of SIZES) expect(drawnSize(size, 2048)).toEqual(size);
});

test('a smaller one draws the same shape with its own number of pixels', () => {
  expect(SIZES.map((size) => drawnSize(size, 512))).toEqual([
    { width: 512, height: 512 },
    { width: 704, height: 384 },
    { width: 384, height: 704 },
  ]);
  expect(drawnSize({ width: 1792, height: 1024 }, 16)).toEqual({ width: 16, height: 16 });
});

test('the size is one that models can draw, near the shape and never far beyond their pixels', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SIZES), fc.integer({ min: 256, max: 2048 }), (size, side) => {
      const drawn = drawnSize(size, side);
      expect([drawn.width % 64, drawn.height % 64]).toEqual([0, 0]);
      expect(pixelsOf(drawn)).toBeLessThanOrEqual(side * side * 1.4);
      const shape = drawn.width / drawn.height / (size.width / size.height);
      expect(Math.abs(Math.log(shape))).toBeLessThan(Math.log(1.5));
    }),
  );
});
