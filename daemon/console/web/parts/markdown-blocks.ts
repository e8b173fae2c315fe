import { Lexer, type Links, type Token } from 'marked';

export type Blocks = {
  tokens: readonly Token[];
  /** How many link definitions were known: a later one turns earlier text into links. */
  definitions: number;
};

/**
 * Lexes a growing text. A block that is followed by another cannot change any more, so only the end of the text is
 * lexed again. A complete text whose links are defined after their use is lexed once more as a whole.
 */
export function createBlocks(): (text: string, isGrowing: boolean) => Blocks {
  let text = '';
  let settled: Token[] = [];
  let settledLength = 0;
  let links: Links = {};

  function restart(): void {
    settled = [];
    settledLength = 0;
    links = {};
  }

  return (whole, isGrowing) => {
    // As the lexer does, so that token lengths refer to this text.
    const next = whole.replace(/\r\n?/g, '\n');
    const definesLinks = Object.keys(links).length > 0;
    if (!next.startsWith(text) || (!isGrowing && definesLinks)) restart();
    text = next;
    const { tokens, links: known } = lex(next.slice(settledLength), links);
    links = known;
    const all = [...settled, ...tokens];
    const open = lastBlock(tokens);
    settled = [...settled, ...tokens.slice(0, open)];
    settledLength += tokens.slice(0, open).reduce((total, { raw }) => total + raw.length, 0);
    return { tokens: all, definitions: Object.keys(links).length };
  };
}

function lex(text: string, links: Links): { tokens: Token[]; links: Links } {
  const lexer = new Lexer({ gfm: true });
  Object.assign(lexer.tokens.links, links);
  const tokens = lexer.lex(text);
  return { tokens, links: tokens.links };
}

/** The index of the last token that is more than empty lines: what follows may still belong to it. */
function lastBlock(tokens: readonly Token[]): number {
  const index = tokens.findLastIndex(({ type }) => type !== 'space');
  return Math.max(0, index);
}
