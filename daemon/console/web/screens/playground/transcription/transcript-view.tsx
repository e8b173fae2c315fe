import { CopyButton } from '../../../parts/copy-button.tsx';
import { DownloadButton } from '../form/download-button.tsx';
import { shortTime, toSrt, toVtt } from './subtitles.ts';
import type { Transcript, Word } from './transcript.ts';

type Props = {
  transcript: Transcript;
  isBusy: boolean;
  /** The playback position. */
  at: number;
  onSeek: (seconds: number) => void;
};

export function TranscriptView({ transcript, isBusy, at, onSeek }: Props) {
  const { lines, words, text, language, progress } = transcript;
  return (
    <>
      {isBusy && progress && (
        <progress aria-label="Transcribed so far" value={progress.seconds} max={progress.total} />
      )}
      <ol className="lines" aria-live="polite">
        {lines.map((line, index) => (
          <li key={index} className={isAt(line, at) ? 'playing' : ''}>
            <button type="button" className="plain" onClick={() => onSeek(line.start)}>
              <span className="hidden">Play from </span>
              {shortTime(line.start)}
            </button>
            <span className="text">{line.text}</span>
          </li>
        ))}
      </ol>
      {lines.length === 0 && !isBusy && <p className="quiet">No speech was found.</p>}
      {words.length > 0 && <Words words={words} at={at} onSeek={onSeek} />}
      {!isBusy && (
        <div className="row">
          {language !== undefined && <span className="badge">{language}</span>}
          <CopyButton text={text} label="Copy text" />
          <DownloadButton
            label="TXT"
            says="Download "
            name="transcript.txt"
            content={() => new Blob([text])}
          />
          <DownloadButton
            label="SRT"
            says="Download "
            name="transcript.srt"
            content={() => new Blob([toSrt(lines)])}
          />
          <DownloadButton
            label="VTT"
            says="Download "
            name="transcript.vtt"
            content={() => new Blob([toVtt(lines)])}
          />
          <DownloadButton
            label="JSON"
            says="Download "
            name="transcript.json"
            content={() => new Blob([JSON.stringify(transcript, null, 2)])}
          />
        </div>
      )}
    </>
  );
}

/** Before the sound plays, no part is highlighted. */
function isAt({ start, end }: { start: number; end: number }, at: number): boolean {
  return at > 0 && start <= at && at < end;
}

function Words({ words, at, onSeek }: { words: readonly Word[]; at: number; onSeek: Props['onSeek'] }) {
  return (
    <details>
      <summary>{words.length} words with their times</summary>
      <p className="words">
        {words.map(({ word, ...times }, index) => (
          <button
            key={index}
            type="button"
            className={isAt(times, at) ? 'plain playing' : 'plain'}
            title={`${times.start.toFixed(2)} to ${times.end.toFixed(2)} s`}
            onClick={() => onSeek(times.start)}
          >
            {word}
          </button>
        ))}
      </p>
    </details>
  );
}
