import { useRef, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react';
import { Attachments } from './attachments/attachments.tsx';
import {
  ACCEPTED,
  ALL_BYTES_MAX,
  bytesOf,
  IMAGE_BYTES_MAX,
  inMebibytes,
  readFiles,
} from './attachments/read-files.ts';
import type { Attachment } from './state/turn.ts';

export type Draft = { text: string; attachments: readonly Attachment[] };

type Props = {
  draft: Draft;
  isBusy: boolean;
  canSee: boolean;
  /** Which model accepts images, for people who drop an image on one that does not. */
  seeing: string;
  onChange: (draft: Draft) => void;
  onSend: () => void;
  onStop: () => void;
};

export function Composer({ draft, isBusy, canSee, seeing, onChange, onSend, onStop }: Props) {
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { text, attachments } = draft;
  const isEmpty = text.trim() === '' && attachments.length === 0;
  const send = () => {
    if (!isEmpty && !isBusy) onSend();
  };
  const add = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const read = await readFiles(files, { bytesBefore: bytesOf(attachments), canSee });
    setProblems(read.problems);
    onChange({ text, attachments: [...attachments, ...read.attachments] });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="composer"
      {...dropping((files) => void add(files))}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Attachments
        attachments={attachments}
        onRemove={(index) =>
          onChange({ text, attachments: attachments.filter((_, place) => place !== index) })
        }
      />
      {problems.length > 0 && (
        <p className="problem" role="alert">
          {problems.join(' ')} {!canSee && seeing}
        </p>
      )}
      <textarea
        aria-label="Message"
        rows={3}
        value={text}
        placeholder="Message (Enter sends, Shift+Enter starts a new line)"
        onChange={(event) => onChange({ text: event.target.value, attachments })}
        onKeyDown={onKeyDown}
        onPaste={(event) => void add(pasted(event))}
      />
      <div className="row apart">
        <FilePicker onFiles={(files) => void add(files)} />
        {/* Two buttons by their keys: one that became the other during its click would stop and then send. */}
        {isBusy ? (
          <button key="stop" type="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button key="start" type="submit" className="primary" disabled={isEmpty}>
            Send
          </button>
        )}
      </div>
    </form>
  );
}

function FilePicker({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        title={`Images up to ${inMebibytes(IMAGE_BYTES_MAX)}, PDF and text; ${inMebibytes(ALL_BYTES_MAX)} together. They can also be dropped or pasted.`}
        onClick={() => chooser.current?.click()}
      >
        Attach files
      </button>
      <input
        ref={chooser}
        type="file"
        className="hidden"
        tabIndex={-1}
        aria-label="Files to attach"
        multiple
        accept={ACCEPTED}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}

/** Text is pasted as text; files in the clipboard are attached. */
function pasted(event: ClipboardEvent): File[] {
  const files = [...event.clipboardData.files];
  if (files.length > 0) event.preventDefault();
  return files;
}

function dropping(onFiles: (files: readonly File[]) => void) {
  return {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      onFiles([...event.dataTransfer.files]);
    },
  };
}
