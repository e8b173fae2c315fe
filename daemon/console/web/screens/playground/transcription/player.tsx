import { useRef, useState, type RefObject } from 'react';
import type { Sound } from '../form/sound.ts';
import { Waveform } from './waveform.tsx';

/** The playback position, updated every frame while playing. */
export function usePlayer() {
  const audio = useRef<HTMLAudioElement>(null);
  const [at, setAt] = useState(0);
  const follow = () => {
    const element = audio.current;
    if (!element) return;
    setAt(element.currentTime);
    if (!element.paused && !element.ended) requestAnimationFrame(follow);
  };
  function seek(seconds: number): void {
    const element = audio.current;
    if (!element) return;
    element.currentTime = seconds;
    setAt(seconds);
    // Without a sound device, it stays where it was set.
    element.play().catch(() => undefined);
  }
  return { audio, at, follow, seek };
}

type Props = {
  sound: Sound;
  audio: RefObject<HTMLAudioElement | null>;
  at: number;
  follow: () => void;
  seek: (seconds: number) => void;
};

export function Player({ sound, audio, at, follow, seek }: Props) {
  return (
    <>
      <Waveform sound={sound} at={at} onSeek={seek} />
      <audio
        ref={audio}
        controls
        src={sound.address}
        aria-label={sound.name}
        onPlay={follow}
        onTimeUpdate={follow}
      />
    </>
  );
}
