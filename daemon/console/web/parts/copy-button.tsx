import { useState } from 'react';

/** A long text is put together only when it is copied. */
export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      onClick={() => {
        const copied = typeof text === 'string' ? text : text();
        void navigator.clipboard.writeText(copied).then(() => setCopied(true));
      }}
      onBlur={() => setCopied(false)}
    >
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </button>
  );
}
