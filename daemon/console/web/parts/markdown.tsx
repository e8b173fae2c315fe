import type { Token, Tokens } from 'marked';
import { createContext, memo, use, useState, type ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { createBlocks } from './markdown-blocks.ts';
import './markdown.css';

/**
 * Model output, as elements created one by one. None of its text is ever parsed as HTML, an image is shown as its
 * name, and a link goes nowhere until a person follows it.
 */
export const Markdown = memo(function Markdown({ text, isGrowing = false }: Props) {
  const [toBlocks] = useState(createBlocks);
  const { tokens, definitions } = toBlocks(text, isGrowing);
  return (
    <div className="markdown">
      {tokens.map((token, index) => (
        // A link in an earlier block may get its URL from a later definition.
        <SettledBlock key={`${definitions} ${index}`} token={token as MarkedToken} />
      ))}
    </div>
  );
});

/** What the numbers in an answer refer to: `[1]` becomes a button. */
type Referring = { titles: ReadonlyMap<number, string>; open: (n: number) => void };

export const References = createContext<Referring | undefined>(undefined);

type Props = {
  text: string;
  /** Whether more of it is on its way. */
  isGrowing?: boolean;
};

/** Rendered again only when its text changes. */
const SettledBlock = memo(
  ({ token }: { token: MarkedToken }) => <Block token={token} />,
  (before, after) => before.token.raw === after.token.raw && before.token.type === after.token.type,
);
SettledBlock.displayName = 'SettledBlock';

function blocks(tokens: readonly Token[]): ReactNode[] {
  return tokens.map((token, index) => <Block key={index} token={token as MarkedToken} />);
}

type MarkedToken =
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.Code
  | Tokens.List
  | Tokens.Blockquote
  | Tokens.Table
  | Tokens.Hr
  | Tokens.Space
  | Tokens.HTML
  | Tokens.Text;

function Block({ token }: { token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'space':
      return null;
    case 'hr':
      return <hr />;
    case 'heading':
      return <p className={`heading level-${token.depth}`}>{inline(token.tokens)}</p>;
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'blockquote':
      return <blockquote>{blocks(token.tokens)}</blockquote>;
    case 'code':
      return <Code text={token.text} language={token.lang} />;
    case 'list':
      return <List list={token} />;
    case 'table':
      return <Table table={token} />;
    case 'text':
      return token.tokens ? inline(token.tokens) : token.text;
    default:
      return <p>{(token as Token).raw}</p>;
  }
}

function Code({ text, language }: { text: string; language: string | undefined }) {
  return (
    <figure className="code">
      <figcaption>
        <span className="quiet small">{language || 'text'}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* A long line scrolls, which a keyboard can do only with the focus on it. */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => <Item key={index} item={item} />);
  return list.ordered ? <ol start={list.start || 1}>{items}</ol> : <ul>{items}</ul>;
}

/** A long list only grows at its end. */
const Item = memo(
  ({ item }: { item: Tokens.ListItem }) => (
    <li>
      {item.task && <input type="checkbox" checked={item.checked ?? false} readOnly aria-label="done" />}
      {blocks(item.tokens)}
    </li>
  ),
  (before, after) => before.item.raw === after.item.raw && before.item.loose === after.item.loose,
);
Item.displayName = 'Item';

function Table({ table }: { table: Tokens.Table }) {
  return (
    <div className="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index}>{inline(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: readonly Token[] | undefined): ReactNode[] {
  return (tokens ?? []).map((token, index) => <Inline key={index} token={token as InlineToken} />);
}

type InlineToken =
  | Tokens.Text
  | Tokens.Escape
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Codespan
  | Tokens.Br
  | Tokens.Link
  | Tokens.Image
  | Tokens.HTML;

function Inline({ token }: { token: InlineToken }): ReactNode {
  switch (token.type) {
    case 'text':
      return 'tokens' in token && token.tokens ? inline(token.tokens) : <Plain text={token.text} />;
    case 'escape':
      return token.text;
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'del':
      return <del>{inline(token.tokens)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link link={token} />;
    case 'image':
      return <span className="badge">image: {token.text || token.href}</span>;
    default:
      return (token as Token).raw;
  }
}

function Plain({ text }: { text: string }): ReactNode {
  const referring = use(References);
  if (referring === undefined) return text;
  return text.split(/(\[\d+\])/).map((piece, index) => {
    const n = index % 2 === 1 ? Number(piece.slice(1, -1)) : undefined;
    const title = n === undefined ? undefined : referring.titles.get(n);
    if (n === undefined || title === undefined) return piece;
    return (
      <button
        key={index}
        type="button"
        className="reference"
        title={title}
        aria-label={`Source ${n}: ${title}`}
        onClick={() => referring.open(n)}
      >
        {n}
      </button>
    );
  });
}

function Link({ link: { href, tokens } }: { link: Tokens.Link }) {
  if (!/^https?:\/\//i.test(href)) return <span title={href}>{inline(tokens)}</span>;
  return (
    <a href={href} title={href} target="_blank" rel="noreferrer noopener">
      {inline(tokens)}
    </a>
  );
}
