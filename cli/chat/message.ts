const FENCE = '"""';

/** Text between `"""` is one message of several lines. Reports whether more lines are expected. */
export function readMessageText(text: string): { complete: boolean; message: string } {
  const trimmed = text.trim();
  if (!trimmed.startsWith(FENCE)) return { complete: true, message: trimmed };
  const body = trimmed.slice(FENCE.length);
  if (!body.endsWith(FENCE)) return { complete: false, message: '' };
  return { complete: true, message: body.slice(0, -FENCE.length).replace(/^\n|\n$/g, '') };
}
