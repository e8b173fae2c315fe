import { Lexer, type Token, type Tokens } from 'marked';
import { memo, type ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import './markdown.css';

/**
 * What a model wrote, as elements made one by one: no text of it is ever parsed as HTML, an image stays its name, and
 * a link goes nowhere until a person follows it.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="markdown">{blocks(new Lexer({ gfm: true }).lex(text))}</div>;
});

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
  const items = list.items.map((item, index) => (
    <li key={index}>
      {item.task && <input type="checkbox" checked={item.checked ?? false} readOnly aria-label="done" />}
      {blocks(item.tokens)}
    </li>
  ));
  return list.ordered ? <ol start={list.start || 1}>{items}</ol> : <ul>{items}</ul>;
}

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
      return 'tokens' in token && token.tokens ? inline(token.tokens) : token.text;
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

function Link({ link: { href, tokens } }: { link: Tokens.Link }) {
  if (!/^https?:\/\//i.test(href)) return <span title={href}>{inline(tokens)}</span>;
  return (
    <a href={href} title={href} target="_blank" rel="noreferrer noopener">
      {inline(tokens)}
    </a>
  );
}
