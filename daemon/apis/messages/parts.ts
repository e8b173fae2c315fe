import type { BlockSource, MessageBlock, ResultPart } from '../../../src/api/chat/message-blocks.ts';
import type { ContentPart } from '../../../src/runtime/engine.ts';
import type { ImagePart } from '../../attachments/image-reader.ts';
import { cannotBeDone, invalid, required } from './invalid.ts';

/** Readers of images and documents, from their data or their URL. */
export type Readers = {
  readImage: (url: string, param: string) => Promise<ImagePart>;
  readDocument: (url: string, param: string) => Promise<string>;
};

type Shown = Pick<
  MessageBlock,
  'type' | 'text' | 'source' | 'title' | 'context' | 'citations' | 'tool_name'
> & {
  content?: MessageBlock['content'] | undefined;
};

/** The text and images of a block; undefined for other kinds of blocks. */
export async function toParts(
  block: Shown,
  at: string,
  readers: Readers,
): Promise<ContentPart[] | undefined> {
  if (block.type === 'text') return [toText(required(block.text, `${at}.text`))];
  if (block.type === 'image') return [await toImage(block.source, at, readers)];
  if (block.type === 'document') return toDocument(block, at, readers);
  if (block.type === 'search_result') return [toSearchResult(block, at)];
  if (block.type === 'tool_reference') return [toToolReference(block, at)];
  return undefined;
}

/** Unknown parts of a result are shown to the model as they are. */
export async function toResultParts(part: ResultPart, at: string, readers: Readers): Promise<ContentPart[]> {
  const known = await toParts(part, at, readers);
  return known ?? [toText(describe(part))];
}

/** Any value as readable text, without the parts that only its provider can read. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(describe).join('\n\n');
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).filter(
    ([name, inner]) => name !== 'type' && !name.startsWith('encrypted_') && inner !== null && inner !== '',
  );
  return fields.map(([name, inner]) => `${name}: ${describe(inner)}`).join('\n');
}

function toText(text: string): ContentPart {
  return { type: 'text', text };
}

async function toImage(source: MessageBlock['source'], at: string, readers: Readers): Promise<ImagePart> {
  const { url, param } = urlOf(source, at, 'image');
  return readers.readImage(url, param);
}

/** Wrapped in tags, so that models can tell documents from instructions. */
async function toDocument(block: Shown, at: string, readers: Readers): Promise<ContentPart[]> {
  refuseCitations(block, at);
  const source = objectOf(block.source, at);
  const { title, context } = block;
  const head = `<document${title ? ` title=${JSON.stringify(title)}` : ''}>\n${context ? `${context}\n\n` : ''}`;
  const parts: ContentPart[] = [
    toText(head),
    ...(await documentParts(source, at, readers)),
    toText('\n</document>'),
  ];
  return joinTexts(parts);
}

async function documentParts(source: BlockSource, at: string, readers: Readers): Promise<ContentPart[]> {
  if (source.type === 'text') return [toText(required(source.data, `${at}.source.data`))];
  if (source.type !== 'content') {
    const { url, param } = urlOf(source, at, 'document');
    return [toText(await readers.readDocument(url, param))];
  }
  const content = required(source.content, `${at}.source.content`);
  if (typeof content === 'string') return [toText(content)];
  const parts: ContentPart[] = [];
  for (const [place, part] of content.entries())
    parts.push(...((await toParts(part, `${at}.source.content[${place}]`, readers)) ?? []));
  return parts;
}

function toSearchResult(block: Shown, at: string): ContentPart {
  refuseCitations(block, at);
  const { title = '', source = '', content = [] } = block;
  const texts = Array.isArray(content) ? content.map(({ text }) => text ?? '') : [describe(content)];
  const head = `<search_result title=${JSON.stringify(title)} source=${JSON.stringify(source)}>`;
  return toText(`${head}\n${texts.join('\n\n')}\n</search_result>`);
}

/** The model sees all tools from the start, so a reference only names one. */
function toToolReference({ tool_name: name }: Shown, at: string): ContentPart {
  return toText(`The tool ${required(name, `${at}.tool_name`)} is available.`);
}

/** Rejected, because a program that reads citations would find none. */
function refuseCitations({ citations }: Shown, at: string): void {
  if ((citations as { enabled?: unknown } | undefined)?.enabled !== true) return;
  throw cannotBeDone(
    `${at}.citations`,
    'Citations are not supported. Omit "citations" and ask for quotes from the document in the prompt.',
  );
}

function objectOf(source: MessageBlock['source'], at: string): BlockSource {
  const given = required(source, `${at}.source`);
  if (typeof given === 'object') return given;
  throw invalid(`${at}.source`, `"${at}.source" must be an object.`);
}

/** Data becomes a data: URL, so that files are read in one way. */
function urlOf(given: MessageBlock['source'], at: string, noun: string): { url: string; param: string } {
  const source = objectOf(given, at);
  const { type, media_type: mime, data, url } = source;
  if (type === 'url') return { url: required(url, `${at}.source.url`), param: `${at}.source.url` };
  if (type === 'base64') {
    const kind = required(mime, `${at}.source.media_type`);
    const param = `${at}.source.data`;
    return { url: `data:${kind};base64,${required(data, param)}`, param };
  }
  if (type !== 'file') throw invalid(`${at}.source.type`, `The source of an ${noun} must be base64 or url.`);
  throw cannotBeDone(
    `${at}.source.file_id`,
    `The Files API is not supported. Send the ${noun} itself, as a source of the type base64.`,
  );
}

/** Joins adjacent texts, so that no template puts anything between them. */
function joinTexts(parts: readonly ContentPart[]): ContentPart[] {
  const joined: ContentPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = toText(last.text + part.text);
    else joined.push(part);
  }
  return joined;
}
