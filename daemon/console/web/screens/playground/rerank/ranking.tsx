import { Bar } from '../form/bar.tsx';

export type Ranked = { index: number; score: number; text: string };

export function Ranking({ ranked, total }: { ranked: readonly Ranked[]; total: number }) {
  return (
    <>
      <h2>
        {ranked.length === total ? 'All documents' : `The best ${ranked.length} of ${total}`}, best first
      </h2>
      <ol className="ranking">
        {ranked.map(({ index, score, text }) => (
          <li key={index}>
            <span className="score">
              <Bar share={score} />
              <span className="number small">{score.toFixed(4)}</span>
            </span>
            <span className="text">{text}</span>
            <span className="quiet small">Document {index + 1}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
