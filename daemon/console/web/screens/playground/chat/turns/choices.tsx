import type { AnswerTurn } from '../state/turn.ts';

/** Several answers to the same messages; the conversation continues with the one that is shown. */
export function Choices({
  answer: { id, choices, chosen },
  onChoose,
}: {
  answer: AnswerTurn;
  onChoose: (id: string, index: number) => void;
}) {
  if (choices.length < 2) return null;
  return (
    <fieldset className="choices">
      <legend className="hidden">Which answer goes on</legend>
      {choices.map((_, index) => (
        <label key={index}>
          <input
            type="radio"
            name={`choice ${id}`}
            checked={index === chosen}
            onChange={() => onChoose(id, index)}
          />
          Answer {index + 1}
        </label>
      ))}
    </fieldset>
  );
}
