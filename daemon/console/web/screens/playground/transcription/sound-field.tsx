import { useEffect, useRef, useState, type DragEvent } from 'react';
import { Problem } from '../../../parts/problem.tsx';
import { toSound, type Sound } from '../form/sound.ts';
import { nameOf } from './microphone.ts';
import { startRecording, type Recording } from './recorder.ts';

type Props = { sound: Sound | undefined; onSound: (sound: Sound) => void };

/** A file that is chosen or dropped, or a recording from the microphone. */
export function SoundField({ sound, onSound }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (file: File | undefined) => file && onSound(toSound(file.name, file));
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    <div
      className={isOver ? 'sound over' : 'sound'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        accept="audio/*,video/mp4,video/webm"
        aria-label="Audio file"
        hidden
        onChange={({ target }) => {
          take(target.files?.[0]);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
      <div className="row">
        <button type="button" onClick={() => input.current?.click()}>
          Choose a file
        </button>
        <Microphone onSound={onSound} />
        <span className="quiet small">or drop one here: mp3, m4a, wav, webm, flac, ogg</span>
      </div>
      {sound && (
        <p className="small" role="status">
          {sound.name}, {(sound.blob.size / 1024).toFixed(0)} KiB
        </p>
      )}
    </div>
  );
}

function Microphone({ onSound }: { onSound: (sound: Sound) => void }) {
  const [recording, setRecording] = useState<Recording>();
  const [error, setError] = useState<Error>();
  const latest = useRef<Recording>(undefined);
  latest.current = recording;
  // Leaving the form while recording closes the microphone.
  useEffect(() => () => void latest.current?.stop(), []);

  async function toggle(): Promise<void> {
    setError(undefined);
    if (!recording) return setRecording(await startRecording());
    setRecording(undefined);
    const blob = await recording.stop();
    onSound(toSound(nameOf(blob), blob));
  }

  return (
    <>
      <button
        type="button"
        aria-pressed={recording !== undefined}
        onClick={() => void toggle().catch(setError)}
      >
        {recording ? 'Stop recording' : 'Record'}
      </button>
      {recording && <Elapsed />}
      <Problem error={error} />
    </>
  );
}

function Elapsed() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="badge bad">
      Recording {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  );
}
