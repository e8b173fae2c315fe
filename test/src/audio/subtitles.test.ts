import { describe, expect, test } from 'vitest';
import { formatSubtitles } from '../../../src/audio/subtitles.ts';

describe('subtitles of three hours', () => {
  const cues = [
    { start: 0, end: 2.5, text: ' Good evening.' },
    { start: 59.9996, end: 61.25, text: 'A minute has gone by.' },
    { start: 3599.4, end: 3600, text: 'Nearly an hour.' },
    { start: 3723.004, end: 3725.9999, text: 'First line\n\nsecond --> line' },
    { start: 10_799.5, end: 10_801.125, text: '3 < 4 & so on.' },
  ];

  test('in SRT', () => {
    expect(formatSubtitles(cues, 'srt')).toBe(
      [
        '1\n00:00:00,000 --> 00:00:02,500\nGood evening.',
        '2\n00:01:00,000 --> 00:01:01,250\nA minute has gone by.',
        '3\n00:59:59,400 --> 01:00:00,000\nNearly an hour.',
        '4\n01:02:03,004 --> 01:02:06,000\nFirst line\nsecond -> line',
        '5\n02:59:59,500 --> 03:00:01,125\n3 < 4 & so on.',
        '',
      ].join('\n\n'),
    );
  });

  test('in WebVTT', () => {
    expect(formatSubtitles(cues, 'vtt')).toBe(
      [
        'WEBVTT',
        '00:00:00.000 --> 00:00:02.500\nGood evening.',
        '00:01:00.000 --> 00:01:01.250\nA minute has gone by.',
        '00:59:59.400 --> 01:00:00.000\nNearly an hour.',
        '01:02:03.004 --> 01:02:06.000\nFirst line\nsecond -&gt; line',
        '02:59:59.500 --> 03:00:01.125\n3 &lt; 4 &amp; so on.',
        '',
      ].join('\n\n'),
    );
  });
});
