const PATH = String.raw`@(?:"[^"\n]*"?|(?:\\.|[^\s\\"])+)`;
/** At the start of a word, and not in an address such as me@example.com. */
const MENTION = new RegExp(String.raw`(?<=^|[\s([{])${PATH}`, 'g');
const UNFINISHED = new RegExp(String.raw`(?:^|[\s([{])(@|${PATH})$`);
/** Punctuation that ends a sentence is not part of a path. */
const SENTENCE_END = /[.,:;!?)\]}]+$/;

/** The paths in a message, in each possible reading: with and without the punctuation that ends a sentence. */
export function findMentions(text: string): { written: string; paths: string[] }[] {
  return Array.from(text.matchAll(MENTION), ([written]) => {
    const path = pathOf(written);
    const bare = written.startsWith('@"') ? path : path.replace(SENTENCE_END, '');
    return { written, paths: [...new Set([path, bare])].filter((each) => each !== '') };
  });
}

/** The mention being written at the end of a text. */
export function unfinishedMention(text: string): { written: string; path: string } | undefined {
  const written = UNFINISHED.exec(text)?.[1];
  const isClosed = written !== undefined && written.length > 2 && /^@".*"$/.test(written);
  return written === undefined || isClosed ? undefined : { written, path: pathOf(written) };
}

/** A path as written in a mention. */
export function mentionOf(path: string): string {
  return `@${path.replace(/[\s\\"]/g, String.raw`\$&`)}`;
}

function pathOf(mention: string): string {
  const path = mention.slice(1);
  return path.startsWith('"') ? path.replace(/^"|"$/g, '') : path.replace(/\\(.)/g, '$1');
}
