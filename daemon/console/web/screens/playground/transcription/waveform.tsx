import { useEffect, useRef, useState } from 'react';
import type { Sound } from '../form/sound.ts';
import { peaksOf } from './peaks.ts';

const BARS = 240;
/** Enough to draw, and little memory for an hour of sound. */
const RATE = 8_000;
const QUIET_HEIGHT = 2;

type Props = { sound: Sound; at: number; onSeek: (seconds: number) => void };

/** A waveform of the sound with its playback position. With the keyboard, the player's controls below seek. */
export function Waveform({ sound, at, onSeek }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [decoded, setDecoded] = useState<{ peaks: number[]; seconds: number }>();
  useEffect(() => {
    let isCurrent = true;
    setDecoded(undefined);
    decode(sound.blob).then(
      (result) => isCurrent && setDecoded(result),
      // The daemon may decode what this browser cannot; it is just not drawn.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [sound]);
  useEffect(() => {
    if (canvas.current && decoded) draw(canvas.current, decoded.peaks, at / decoded.seconds);
  }, [decoded, at]);
  if (!decoded) return null;
  return (
    <canvas
      ref={canvas}
      className="waveform"
      aria-hidden="true"
      onClick={({ nativeEvent, currentTarget }) =>
        onSeek((nativeEvent.offsetX / currentTarget.clientWidth) * decoded.seconds)
      }
    />
  );
}

async function decode(blob: Blob) {
  const context = new OfflineAudioContext(1, 1, RATE);
  const buffer = await context.decodeAudioData(await blob.arrayBuffer());
  return { peaks: peaksOf(buffer.getChannelData(0), BARS), seconds: buffer.duration };
}

function draw(canvas: HTMLCanvasElement, peaks: readonly number[], played: number): void {
  const { clientWidth, clientHeight } = canvas;
  canvas.width = clientWidth * devicePixelRatio;
  canvas.height = clientHeight * devicePixelRatio;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(devicePixelRatio, devicePixelRatio);
  const styles = getComputedStyle(canvas);
  const width = clientWidth / peaks.length;
  for (const [index, peak] of peaks.entries()) {
    const height = Math.max(QUIET_HEIGHT, peak * clientHeight);
    context.fillStyle = index / peaks.length < played ? styles.color : styles.outlineColor;
    context.fillRect(index * width, (clientHeight - height) / 2, Math.max(1, width * 0.7), height);
  }
  context.fillStyle = styles.color;
  context.fillRect(Math.min(clientWidth - 2, played * clientWidth), 0, 2, clientHeight);
}
