import { useRef, useState } from 'react';
import { toBody } from './settings/settings.ts';
import { readConversation } from './state/import.ts';
import { toMessages } from './state/messages.ts';
import { changePane, EMPTY, settingsOf } from './state/playground.ts';
import { stopAll } from './state/run.ts';
import { change, current, usePlayground } from './state/store.ts';
import { without } from './state/without.ts';

type Props = { canCompare: boolean; onCompare: () => void };

export function Toolbar({ canCompare, onCompare }: Props) {
  const { panes } = usePlayground();
  const [problem, setProblem] = useState('');
  const chooser = useRef<HTMLInputElement>(null);
  const isEmpty = panes.every(({ turns }) => turns.length === 0);
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      importConversation(await file.text());
      setProblem('');
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <div className="chat-toolbar">
      <div className="row">
        <button type="button" disabled={isEmpty} onClick={newChat}>
          New chat
        </button>
        <button type="button" disabled={!canCompare} onClick={onCompare}>
          Compare two models
        </button>
        <button type="button" onClick={() => chooser.current?.click()}>
          Import
        </button>
        <input
          ref={chooser}
          type="file"
          className="hidden"
          tabIndex={-1}
          aria-label="Conversation to import"
          accept="application/json,.json"
          onChange={({ target }) => {
            void read(target.files?.[0]);
            target.value = '';
          }}
        />
        <button type="button" disabled={isEmpty} onClick={exportConversation}>
          Export
        </button>
      </div>
      <p className="quiet small">
        Kept in this browser until you sign out.{' '}
        <button type="button" className="link" onClick={forget}>
          Forget all of it
        </button>
      </p>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function newChat(): void {
  stopAll();
  change((state) => ({ ...state, panes: state.panes.map((pane) => ({ ...pane, turns: [] })) }));
}

function forget(): void {
  stopAll();
  change(() => EMPTY);
}

/** It replaces the first conversation; the second one would no longer match. */
function importConversation(text: string): void {
  const { system, turns } = readConversation(text);
  stopAll();
  change(({ panes, ...state }) =>
    changePane({ ...state, panes: panes.slice(0, 1) }, 0, ({ settings }) => ({
      settings: { ...settings, system },
      turns,
    })),
  );
}

/** The request that would continue the conversation: an import reads it, and so does every program. */
function exportConversation(): void {
  const [pane] = current().panes;
  if (pane === undefined) return;
  const request = toBody(settingsOf(current(), 0), toMessages(pane.turns));
  const body = without(request, 'stream', 'stream_options');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(body, null, 2)], { type: 'application/json' }));
  link.download = 'conversation.json';
  link.click();
  URL.revokeObjectURL(link.href);
}
