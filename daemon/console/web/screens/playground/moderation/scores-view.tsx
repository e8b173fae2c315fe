import { Bar } from '../form/bar.tsx';
import type { ModeratedText } from './scores.ts';

export function ScoresView({ texts }: { texts: readonly ModeratedText[] }) {
  const flagged = texts.filter(({ isFlagged }) => isFlagged).length;
  return (
    <>
      <h2>{flagged === 0 ? 'Nothing is flagged' : `${flagged} of ${texts.length} flagged`}</h2>
      {texts.map((text, index) => (
        <TextScores key={index} {...text} isOpen={text.isFlagged || texts.length === 1} />
      ))}
      <p className="quiet small">
        The line in each bar is the threshold from which a category is flagged. It is set by{' '}
        <code>moderation_thresholds</code>.
      </p>
    </>
  );
}

function TextScores({ text, isFlagged, scores, isOpen }: ModeratedText & { isOpen: boolean }) {
  return (
    <details className="moderated" open={isOpen}>
      <summary>
        <span className={isFlagged ? 'badge bad' : 'badge good'}>{isFlagged ? 'Flagged' : 'Passed'}</span>{' '}
        {text}
      </summary>
      <div className="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" className="wide">
                <span className="hidden">Bar</span>
              </th>
              <th scope="col" className="number">
                Score
              </th>
              <th scope="col" className="number">
                Threshold
              </th>
            </tr>
          </thead>
          <tbody>
            {scores.map((each) => (
              <tr key={each.category}>
                <th scope="row">
                  {each.category} {each.isFlagged && <span className="badge bad">flagged</span>}
                </th>
                <td className="wide">
                  <Bar share={each.score} mark={each.threshold} isHigh={each.isFlagged} />
                </td>
                <td className="number">{each.score.toFixed(4)}</td>
                <td className="number quiet">{each.threshold}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
