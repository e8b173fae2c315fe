import type { Attachments } from '../attach.ts';
import { findMentions } from './find.ts';
import { locate, readMentioned, TEXT_LENGTH_MAX, tooLong } from './read.ts';

export type Attached = {
  /** The message with the text of its files. */
  text: string;
  images: string[];
  /** What was attached, and what was not. */
  notes: string[];
  /** Why the message must not be sent as it is. */
  refusals: string[];
};

type Parts = Pick<Attachments, 'canSee'> & {
  /** The message that is sent. */
  text: string;
  /** As it was typed: pasted text mentions nothing. */
  typed: string;
  model: string;
  countTokens: (text: string) => Promise<number | undefined>;
};

/** Reads the files and folders that a message mentions. */
export async function attachMentioned(parts: Parts): Promise<Attached> {
  const attached: Attached = { text: parts.text, images: [], notes: [], refusals: [] };
  const texts: string[] = [];
  const seen = new Set<string>();
  for (const { written, paths } of findMentions(parts.typed)) {
    const path = paths.find((each) => locate(each));
    const found = path === undefined ? undefined : locate(path);
    if (path === undefined || found === undefined) {
      if (/[./]/.test(written)) attached.notes.push(`${written} is not a file here and is sent as it is.`);
      continue;
    }
    if (seen.has(found.file)) continue;
    seen.add(found.file);
    const read = await readMentioned(path, found.file, found.stats);
    if (read.kind === 'refused') attached.refusals.push(`${path} ${read.reason}.`);
    else if (read.kind === 'image') await attachImage(attached, path, read.file, parts);
    else {
      texts.push(read.text);
      const tokens = await parts.countTokens(read.text);
      const size = tokens === undefined ? '' : `, ${tokens.toLocaleString('en-US')} tokens`;
      attached.notes.push(`Attached ${path}: ${read.about}${size}`, ...read.notes);
    }
  }
  const whole = texts.join('\n\n');
  if (whole.length > TEXT_LENGTH_MAX) attached.refusals.push(`What is attached ${tooLong(whole)}.`);
  if (whole !== '') attached.text = `${parts.text}\n\n${whole}`;
  return attached;
}

async function attachImage(
  attached: Attached,
  path: string,
  file: string,
  { model, canSee }: Parts,
): Promise<void> {
  if (!(await canSee(model))) {
    attached.refusals.push(`${path} is an image, which ${model} does not accept: /model svc-vision-v1`);
    return;
  }
  attached.images.push(file);
  attached.notes.push(`Attached ${path}: an image`);
}
