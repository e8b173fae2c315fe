import { useState, type KeyboardEvent } from 'react';

type Props = { isBusy: boolean; onSend: (text: string) => Promise<void>; onStop: () => void };

export function Composer({ isBusy, onSend, onStop }: Props) {
  const [text, setText] = useState('');
  const send = () => {
    if (text.trim() === '' || isBusy) return;
    setText('');
    void onSend(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label>
        <span className="hidden">Message</span>
        <textarea
          rows={3}
          value={text}
          placeholder="Message (Enter sends, Shift and Enter make a new line)"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <div className="row end">
        {isBusy ? (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="submit" className="primary" disabled={text.trim() === ''}>
            Send
          </button>
        )}
      </div>
    </form>
  );
}
