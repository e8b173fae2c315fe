import { CopyButton } from '../../../parts/copy-button.tsx';
import { number } from '../../../data/format.ts';
import { shareStyle } from '../form/bar.tsx';
import { nearestTo, normOf, similaritiesOf, type Vector } from './vectors.ts';

const SHOWN_VALUES = 4;

export type Embedded = { texts: readonly string[]; vectors: readonly Vector[] };

export function VectorsView({ embedded: { texts, vectors } }: { embedded: Embedded }) {
  const similarities = similaritiesOf(vectors);
  return (
    <>
      <div className="row apart">
        <h2>
          {number(vectors.length)} {vectors.length === 1 ? 'vector' : 'vectors'} of{' '}
          {number(vectors[0]?.length ?? 0)} dimensions
        </h2>
        <CopyButton text={JSON.stringify(vectors)} label="Copy vectors as JSON" />
      </div>
      {texts.length > 1 && <Matrix texts={texts} similarities={similarities} />}
      <div className="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">Text</th>
              {texts.length > 1 && <th scope="col">Nearest</th>}
              <th scope="col" className="number">
                Norm
              </th>
              <th scope="col">First values</th>
            </tr>
          </thead>
          <tbody>
            {texts.map((text, index) => (
              <tr key={index}>
                <th scope="row">{index + 1}</th>
                <td className="wide">{text}</td>
                {texts.length > 1 && <td className="near">{nearestText(index, similarities)}</td>}
                <td className="number">{normOf(vectors[index] ?? []).toFixed(3)}</td>
                <td>
                  <code>{firstValues(vectors[index] ?? [])}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function nearestText(index: number, similarities: readonly (readonly number[])[]): string {
  const nearest = nearestTo(index, similarities);
  if (nearest === undefined) return '';
  return `${nearest + 1} (${similarities[index]?.[nearest]?.toFixed(3)})`;
}

function firstValues(vector: Vector): string {
  const shown = vector.slice(0, SHOWN_VALUES).map((value) => value.toFixed(4));
  return `${shown.join(', ')}${vector.length > SHOWN_VALUES ? ', …' : ''}`;
}

/** Without a minus before zero. */
function inShort(value: number): string {
  return value.toFixed(2).replace(/^-(0\.0+)$/, '$1');
}

type MatrixProps = { texts: readonly string[]; similarities: readonly (readonly number[])[] };

function Matrix({ texts, similarities }: MatrixProps) {
  return (
    <div className="scroll" tabIndex={0}>
      <table className="matrix">
        <caption className="quiet small">
          How similar each pair of texts is: the cosine of their vectors, 1 for identical texts
        </caption>
        <thead>
          <tr>
            <td />
            {texts.map((text, index) => (
              <th key={index} scope="col" title={text}>
                {index + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {similarities.map((row, index) => (
            <tr key={index}>
              <th scope="row" title={texts[index]}>
                <span className="short">
                  {index + 1} {texts[index]}
                </span>
              </th>
              {row.map((value, other) => (
                <td key={other} className="number" style={shareStyle(value)}>
                  {inShort(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
