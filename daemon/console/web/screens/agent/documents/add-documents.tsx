import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type DragEvent } from 'react';
import { number } from '../../../data/format.ts';
import { Problem } from '../../../parts/problem.tsx';
import { useCollections, useRefresh } from '../data.ts';
import { addFiles, addPath, type Progress } from './add.ts';
import { chosenFiles, droppedFiles, type NamedFile } from './dropped-files.ts';

const KINDS = 'Markdown, text, HTML, PDF and code';

export function AddDocuments() {
  const { data: collections = [] } = useCollections();
  const [collection, setCollection] = useState('documents');
  const [progress, setProgress] = useState<Progress>();
  const stopping = useRef<AbortController>(undefined);
  const refresh = useRefresh();
  const adding = useMutation({
    mutationFn: (from: readonly NamedFile[] | string) => {
      stopping.current = new AbortController();
      setProgress(undefined);
      const to = { collection: collection.trim(), onProgress: setProgress, signal: stopping.current.signal };
      return typeof from === 'string' ? addPath(from, to) : addFiles(from, to);
    },
    onSettled: refresh,
  });
  const add = (files: readonly NamedFile[]) => files.length > 0 && adding.mutate(files);
  const isStopped = stopping.current?.signal.aborted ?? false;
  return (
    <section className="card" aria-labelledby="add-documents">
      <h2 id="add-documents">Add documents</h2>
      <label className="field collection">
        <span className="label">Collection</span>
        <input
          list="collections-known"
          required
          maxLength={64}
          value={collection}
          onChange={({ target }) => setCollection(target.value)}
        />
        <datalist id="collections-known">
          {collections.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <DropArea isBusy={adding.isPending} onFiles={add} />
      <PathForm isBusy={adding.isPending} onPath={(path) => adding.mutate(path)} />
      <p className="quiet small">
        {KINDS}. Dropped files are copied into askd’s home folder; files added by path are read where they
        are. Add them again after changes. Nothing leaves this machine.
      </p>
      {!isStopped && <Problem error={adding.error} />}
      {progress && (
        <Outcome
          progress={progress}
          isBusy={adding.isPending}
          isStopped={isStopped}
          onStop={() => stopping.current?.abort(new Error('Stopped.'))}
        />
      )}
    </section>
  );
}

function PathForm({ isBusy, onPath }: { isBusy: boolean; onPath: (path: string) => void }) {
  const [path, setPath] = useState('');
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        onPath(path.trim());
      }}
    >
      <input
        className="grow"
        aria-label="Path of a folder or file"
        placeholder="Or a folder on the daemon’s machine: /home/me/notes"
        required
        value={path}
        onChange={({ target }) => setPath(target.value)}
      />
      <button type="submit" disabled={isBusy}>
        Add this path
      </button>
    </form>
  );
}

function DropArea({ isBusy, onFiles }: { isBusy: boolean; onFiles: (files: NamedFile[]) => void }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!isBusy) void droppedFiles(event.dataTransfer).then(onFiles);
  };
  return (
    <div
      className={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>Drop files or folders here</p>
      <div className="row">
        <Picker label="Choose files" isBusy={isBusy} onFiles={onFiles} />
        <Picker label="Choose a folder" isFolder isBusy={isBusy} onFiles={onFiles} />
      </div>
    </div>
  );
}

type PickerProps = {
  label: string;
  isFolder?: boolean;
  isBusy: boolean;
  onFiles: (files: NamedFile[]) => void;
};

function Picker({ label, isFolder = false, isBusy, onFiles }: PickerProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => chooser.current?.click()}>
        {label}
      </button>
      <input
        ref={chooser}
        type="file"
        className="hidden"
        tabIndex={-1}
        aria-label={isFolder ? 'Folder to add' : 'Files to add'}
        multiple
        {...(isFolder && { webkitdirectory: '' })}
        onChange={({ target }) => {
          onFiles(chosenFiles(target.files));
          target.value = '';
        }}
      />
    </>
  );
}

type OutcomeProps = { progress: Progress; isBusy: boolean; isStopped: boolean; onStop: () => void };

function Outcome({ progress: { total, files }, isBusy, isStopped, onStop }: OutcomeProps) {
  const failed = files.filter(({ status }) => status === 'failed');
  return (
    <div className="outcome">
      {isBusy && (
        <div className="row">
          <progress aria-label="Files read" max={Math.max(1, total)} value={files.length} />
          <button type="button" onClick={onStop}>
            Stop
          </button>
        </div>
      )}
      <p role="status">
        {isBusy ? `${number(files.length)} of ${number(total)} files` : sentenceOf(files)}
        {isStopped && !isBusy && ' Stopped: the rest was not read.'}
      </p>
      {failed.length > 0 && (
        <details open={failed.length <= 5}>
          <summary>{failed.length} not read</summary>
          <ul className="small">
            {failed.map(({ path, reason }) => (
              <li key={path}>
                {path}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function sentenceOf(files: Progress['files']): string {
  const counts = new Map<string, number>();
  for (const { status } of files) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = Array.from(counts, ([status, count]) => `${number(count)} ${status}`);
  return parts.length === 0 ? 'There was nothing to read.' : `${parts.join(', ')}.`;
}
