import { describe, expect, test } from 'vitest';
import {
  nearestTo,
  normOf,
  similaritiesOf,
  similarity,
} from '../../../../daemon/console/web/screens/playground/embeddings/vectors.ts';
import { numberOf, textsOf } from '../../../../daemon/console/web/screens/playground/form/texts.ts';
import { add, BLANK } from '../../../../daemon/console/web/screens/playground/images/drawing.ts';
import { toModerated } from '../../../../daemon/console/web/screens/playground/moderation/scores.ts';
import {
  joined,
  RAW,
  readHead,
  toSamples,
  wavHead,
} from '../../../../daemon/console/web/screens/playground/speech/pcm.ts';
import { peaksOf } from '../../../../daemon/console/web/screens/playground/transcription/peaks.ts';
import {
  explain,
  nameOf,
} from '../../../../daemon/console/web/screens/playground/transcription/microphone.ts';
import { EMPTY, toForm } from '../../../../daemon/console/web/screens/playground/transcription/request.ts';
import {
  shortTime,
  toSrt,
  toVtt,
} from '../../../../daemon/console/web/screens/playground/transcription/subtitles.ts';
import {
  add as addWords,
  NOTHING,
} from '../../../../daemon/console/web/screens/playground/transcription/transcript.ts';
import { spoken, wavOf } from '../../../helpers/models/sounds.ts';

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

  test('names the nearest other text, even if all are opposite, and none for a single text', () => {
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

describe('a sound', () => {
  test('is read from a WAV that arrives in pieces, once its header is there', () => {
    const wav = new Uint8Array(wavOf(spoken('a')));
    expect(readHead(wav.subarray(0, 40))).toBeUndefined();
    expect(readHead(wav.subarray(0, 44))).toEqual({ format: { rate: 16_000, channels: 1 }, samplesAt: 44 });
  });

  test('keeps the odd byte of a piece for the next', () => {
    const first = toSamples(Uint8Array.of(0, 64, 0));
    expect([[...first.samples], [...first.rest]]).toEqual([[0.5], [0]]);
    expect([...toSamples(joined(first.rest, Uint8Array.of(192))).samples]).toEqual([-0.5]);
  });

  test('of raw samples becomes a file that states its length', () => {
    const head = wavHead(480, RAW);
    expect(readHead(head)).toEqual({ format: RAW, samplesAt: 44 });
    expect(new DataView(head.buffer).getUint32(40, true)).toBe(480);
  });

  test('is drawn by the loudest moment of each part', () => {
    const samples = Float32Array.of(0, 0.5, -1, 0.25, 0, 0);
    expect(peaksOf(samples, 3)).toEqual([0.5, 1, 0]);
    expect(peaksOf(new Float32Array(), 2)).toEqual([0, 0]);
    expect(peaksOf(Float32Array.of(2), 1)).toEqual([1]);
  });
});

describe('a transcript', () => {
  const line = (start: number, end: number, text: string) => ({ start, end, text });

  test('grows by segments, and at its end has words and no progress', () => {
    const segment = { type: 'transcript.text.segment', id: 0, start: 0, end: 1, text: ' Hello' } as const;
    const going = addWords(addWords(NOTHING, segment), {
      ...{ type: 'transcript.progress', seconds: 1, total: 2 },
    });
    expect(going).toMatchObject({ text: 'Hello', lines: [{ text: 'Hello' }], progress: { total: 2 } });
    const words = [{ word: 'Hello', start: 0, end: 1 }];
    const usage = { type: 'duration' as const, seconds: 2 };
    const transcription = {
      task: 'transcribe' as const,
      language: 'french',
      duration: 2,
      text: 'Hello',
      words,
    };
    const ended = addWords(going, {
      ...{ type: 'transcript.text.done', text: 'Hello', usage },
      transcription: { ...transcription, usage },
    });
    expect(ended).toEqual({ lines: going.lines, text: 'Hello', words, language: 'french' });
  });

  test('is written as subtitles that no text breaks', () => {
    const lines = [line(0, 1.5, 'one\n\ntwo'), line(3661.0004, 3662, 'a --> b & <i>')];
    expect(toSrt(lines)).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\none\ntwo\n\n2\n01:01:01,000 --> 01:01:02,000\na -> b & <i>\n\n',
    );
    expect(toVtt(lines)).toContain('01:01:01.000 --> 01:01:02.000\na -&gt; b &amp; &lt;i&gt;\n\n');
    expect([shortTime(0), shortTime(75.9)]).toEqual(['0:00', '1:15']);
  });

  test('in English is asked for without a language and without words', () => {
    const fields = { ...EMPTY, language: 'fr', words: true, prompt: '' };
    const sound = { name: 'a.wav', blob: new Blob(['x']) };
    expect(Object.fromEntries(toForm(fields, sound))).toMatchObject({ language: 'fr', stream: 'true' });
    expect(toForm(fields, sound).getAll('timestamp_granularities[]')).toEqual(['word', 'segment']);
    const names = [...toForm({ ...fields, task: 'translate' }, sound).keys()];
    expect(names).toEqual(['file', 'stream', 'model', 'response_format']);
  });
});

test('a microphone that does not open is explained, with what to do', () => {
  expect(explain({ name: 'NotAllowedError', message: '' })).toMatch(/Allow it/);
  expect(explain({ name: 'NotFoundError', message: '' })).toMatch(/Connect one/);
  expect(explain({ name: 'AbortError', message: 'odd' })).toBe('The microphone cannot be used: odd');
  expect([
    nameOf({ type: 'audio/mp4' }),
    nameOf({ type: 'audio/webm;codecs=opus' }),
    nameOf({ type: '' }),
  ]).toEqual(['recording.mp4', 'recording.webm', 'recording.webm']);
});

test('an image replaces its preview, and stays when the next one begins', () => {
  const look = { size: '1x1', output_format: 'png', quality: 'auto', background: 'opaque', created_at: 0 };
  const partial = {
    type: 'image_generation.partial_image',
    partial_image_index: 0,
    b64_json: 'AAAA',
  } as const;
  const completed = { type: 'image_generation.completed', b64_json: 'AAAA' } as const;
  const progress = { type: 'image_generation.progress', step: 1, steps: 4 } as const;
  const previewed = add(add(BLANK, progress), { ...partial, ...look });
  expect(previewed).toMatchObject({ progress: { step: 1 }, pictures: [{ name: 'preview.png' }] });
  const one = add(previewed, { ...completed, ...look, seed: 7 });
  expect(one.pictures.map(({ name, seed }) => [name, seed])).toEqual([['image-7.png', 7]]);
  const next = add(one, { ...partial, ...look });
  expect(next.pictures.map(({ seed }) => seed)).toEqual([7, undefined]);
});
