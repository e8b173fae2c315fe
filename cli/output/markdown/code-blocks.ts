export type CodeBlock = { language: string; code: string };

/** The fenced code of a Markdown text; an unclosed block extends to the end. */
export function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { mark: string; language: string; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const [, mark = '', info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      const isInline = mark.startsWith('`') && info.includes('`');
      if (mark !== '' && !isInline) open = { mark, language: info.trim(), lines: [] };
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      blocks.push({ language: open.language, code: open.lines.join('\n') });
      open = undefined;
    } else open.lines.push(line);
  }
  if (open) blocks.push({ language: open.language, code: open.lines.join('\n') });
  return blocks;
}
