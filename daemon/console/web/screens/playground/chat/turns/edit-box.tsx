import { useState } from 'react';

type Props = {
  label: string;
  text: string;
  /** The button's text: what will happen. */
  action: string;
  onSave: (text: string) => void;
  onClose: () => void;
};

export function EditBox({ label, text, action, onSave, onClose }: Props) {
  const [typed, setTyped] = useState(text);
  return (
    <div className="edit">
      <textarea
        aria-label={label}
        autoFocus
        rows={Math.min(16, typed.split('\n').length + 1)}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <div className="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="primary"
          disabled={typed.trim() === ''}
          onClick={() => {
            onSave(typed);
            onClose();
          }}
        >
          {action}
        </button>
      </div>
    </div>
  );
}
