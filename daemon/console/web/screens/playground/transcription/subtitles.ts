import type { Line } from './transcript.ts';

export function toSrt(lines: readonly Line[]): string {
  return lines.map((line, index) => `${index + 1}\n${times(line, ',')}\n${oneBlock(line.text)}\n\n`).join('');
}

export function toVtt(lines: readonly Line[]): string {
  const cues = lines.map((line) => `${times(line, '.')}\n${escape(oneBlock(line.text))}\n\n`);
  return `WEBVTT\n\n${cues.join('')}`;
}

/** An empty line would end the cue, and an arrow would be parsed as its times. */
function oneBlock(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, '\n')
    .replaceAll('-->', '->');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function times({ start, end }: Line, separator: string): string {
  return `${timeOf(start, separator)} --> ${timeOf(end, separator)}`;
}

function timeOf(seconds: number, separator: string): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const parts = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock}${separator}${String(ms % 1000).padStart(3, '0')}`;
}

/** For people: minutes and seconds. */
export function shortTime(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
