/** A subtitle cue. Times are in seconds from the beginning. */
export type Cue = { start: number; end: number; text: string };

export type SubtitleFormat = 'srt' | 'vtt';

/** What precedes the first cue. */
export const SUBTITLE_HEADS: Readonly<Record<SubtitleFormat, string>> = { srt: '', vtt: 'WEBVTT\n\n' };

/** One cue with its trailing empty line. `index` counts from 0. */
export function formatCue({ start, end, text }: Cue, index: number, format: SubtitleFormat): string {
  const [number, mark] = format === 'srt' ? [`${index + 1}\n`, ','] : ['', '.'];
  return `${number}${formatTime(start, mark)} --> ${formatTime(end, mark)}\n${cueText(text, format)}\n\n`;
}

export function formatSubtitles(cues: readonly Cue[], format: SubtitleFormat): string {
  return SUBTITLE_HEADS[format] + cues.map((cue, index) => formatCue(cue, index, format)).join('');
}

/** An empty line would end the cue, and an arrow would be parsed as its times. */
function cueText(text: string, format: SubtitleFormat): string {
  const oneBlock = text
    .trim()
    .replace(/\s*\n\s*/g, '\n')
    .replaceAll('-->', '->');
  return format === 'srt'
    ? oneBlock
    : oneBlock.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const [MINUTE, HOUR] = [60_000, 3_600_000];

function formatTime(seconds: number, mark: string): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const parts = [Math.floor(ms / HOUR), Math.floor((ms % HOUR) / MINUTE), Math.floor((ms % MINUTE) / 1000)];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock}${mark}${String(ms % 1000).padStart(3, '0')}`;
}
