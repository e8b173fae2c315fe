import { useState } from 'react';

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      onBlur={() => setCopied(false)}
    >
      <span role="status">{isCopied ? 'Copied' : label}</span>
    </button>
  );
}
