import { describe, expect, test } from 'vitest';
import {
  nearestTo,
  normOf,
  similaritiesOf,
  similarity,
} from '../../../../daemon/console/web/screens/playground/embeddings/vectors.ts';
import { numberOf, textsOf } from '../../../../daemon/console/web/screens/playground/form/texts.ts';
import { toModerated } from '../../../../daemon/console/web/screens/playground/moderation/scores.ts';

describe('texts that were typed into one field', () => {
  test('are the lines with something on them', () => {
    expect(textsOf(' one \n\n\ttwo\r\n   \n three')).toEqual(['one', 'two', 'three']);
    expect(textsOf('\n \n')).toEqual([]);
  });

  test('are paragraphs when empty lines separate them', () => {
    expect(textsOf('one\nstill one\n \t\n\n\ntwo\n', 'paragraph')).toEqual(['one\nstill one', 'two']);
  });

  test('leave a number out where nothing was typed, and keep zero', () => {
    expect([numberOf(''), numberOf('  '), numberOf('0'), numberOf('1.5')]).toEqual([
      undefined,
      undefined,
      0,
      1.5,
    ]);
  });
});

describe('the similarity of vectors', () => {
  test('is the cosine of their angle, whatever their length', () => {
    expect(normOf([3, 4])).toBe(5);
    expect(similarity([1, 0], [10, 0])).toBe(1);
    expect(similarity([1, 0], [0, 2])).toBe(0);
    expect(similarity([1, 1], [-2, -2])).toBeCloseTo(-1);
    expect(similarity([0, 0], [1, 1])).toBe(0);
  });

  test('names the nearest other text, even where all are opposite, and none for one alone', () => {
    const similarities = similaritiesOf([
      [1, 0],
      [-1, 0],
      [0.9, 0.1],
    ]);
    expect([0, 1, 2].map((index) => nearestTo(index, similarities))).toEqual([2, 2, 0]);
    expect(
      nearestTo(
        0,
        similaritiesOf([
          [1, 0],
          [-1, 0],
        ]),
      ),
    ).toBe(1);
    expect(nearestTo(0, similaritiesOf([[1, 0]]))).toBeUndefined();
  });
});

test('categories of moderation come flagged first, then by score, with their thresholds', () => {
  const result = {
    ...{ id: 'modr-1', model: 'm', usage: { prompt_tokens: 1, total_tokens: 1 } },
    cost: { total_usd: 0, price_per_million_tokens: 0 },
    category_thresholds: { hate: 0.9, violence: 0.2, sexual: 0.5 },
    results: [
      {
        flagged: true,
        categories: { hate: false, violence: true, sexual: false },
        category_scores: { hate: 0.8, violence: 0.3, sexual: 0.1 },
        category_applied_input_types: {},
      },
    ],
  };
  expect(toModerated(['a text'], result)).toEqual([
    {
      text: 'a text',
      isFlagged: true,
      scores: [
        { category: 'violence', score: 0.3, threshold: 0.2, isFlagged: true },
        { category: 'hate', score: 0.8, threshold: 0.9, isFlagged: false },
        { category: 'sexual', score: 0.1, threshold: 0.5, isFlagged: false },
      ],
    },
  ]);
});
