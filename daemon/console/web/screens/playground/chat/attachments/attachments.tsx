import type { Attachment } from '../state/turn.ts';

/** Only the bytes of an image are ever shown: a URL in an imported conversation is not fetched. */
const SHOWN = /^data:image\/(png|jpeg|webp|gif);base64,/;

type Props = { attachments: readonly Attachment[]; onRemove?: (index: number) => void };

export function Attachments({ attachments, onRemove }: Props) {
  if (attachments.length === 0) return null;
  return (
    <ul className="attachments" aria-label="Files">
      {attachments.map(({ kind, name, url }, index) => (
        <li key={index}>
          {kind === 'image' && SHOWN.test(url) ? (
            <img src={url} alt={name} />
          ) : (
            <span className="badge">{kind === 'image' ? `image: ${name}` : name}</span>
          )}
          {onRemove && (
            <button type="button" aria-label={`Remove ${name}`} onClick={() => onRemove(index)}>
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
