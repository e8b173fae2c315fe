import type { Size } from './scale.ts';

/** Asks whether it supports kitty graphics, how large a character is, and what it is, which every terminal answers. */
const KITTY = '\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\';
const CELL_SIZE = '\u001b[16t';
/** How large sixel graphics can be. xterm reports no other size by default, so its text in pixels. */
const AREA_SIZE = '\u001b[?2;1;0S';
const ATTRIBUTES = '\u001b[c';
/**
 * Even over a slow connection, the answer comes within this time; a terminal that never answers delays nobody for
 * longer.
 */
const ANSWER_MS = 3000;

export type Answers = { hasKitty: boolean; hasSixel: boolean; cell?: Size; area?: Size };

/** What a terminal reports about itself, through whoever reads its keys at the time and passes on its reports. */
export function createQuery(write: (text: string) => void) {
  let answers: Answers = { hasKitty: false, hasSixel: false };
  let end: ((answers: Answers | undefined) => void) | undefined;

  return {
    /** Undefined if no answer comes in time. For tmux, a kitty query would be a title. */
    ask({ isTmux }: { isTmux: boolean }): Promise<Answers | undefined> {
      return new Promise((resolve) => {
        const timer = setTimeout(() => end?.(undefined), ANSWER_MS);
        end = (found) => {
          clearTimeout(timer);
          end = undefined;
          resolve(found);
        };
        write((isTmux ? '' : KITTY) + CELL_SIZE + AREA_SIZE + ATTRIBUTES);
      });
    },
    onReport(report: string): void {
      if (report.startsWith('\u001b_Gi=31;OK')) answers = { ...answers, hasKitty: true };
      const cell = cellOf(report);
      if (cell) answers = { ...answers, cell };
      const area = areaOf(report);
      if (area) answers = { ...answers, area };
      const attributes = attributesOf(report);
      if (attributes) end?.({ ...answers, hasSixel: attributes.includes('4') });
    },
  };
}

/* eslint-disable no-control-regex -- reports start with Escape */
function cellOf(report: string): Size | undefined {
  const [, height, width] = /^\u001b\[6;(\d+);(\d+)t$/.exec(report) ?? [];
  return sizeOf(width, height);
}

function areaOf(report: string): Size | undefined {
  const [, width, height] = /^\u001b\[\?2;0;(\d+);(\d+)S$/.exec(report) ?? [];
  return sizeOf(width, height);
}

function sizeOf(width?: string, height?: string): Size | undefined {
  return Number(height) > 0 && Number(width) > 0
    ? { width: Number(width), height: Number(height) }
    : undefined;
}

function attributesOf(report: string): string[] | undefined {
  return /^\u001b\[\?([\d;]*)c$/.exec(report)?.[1]?.split(';').slice(1);
}
