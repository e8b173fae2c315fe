import { credits, number } from '../../../../data/format.ts';
import { costOf } from '../state/charges.ts';
import { isRunning, type AnswerTurn } from '../state/turn.ts';

/** Where the answer came from, how fast, and what it cost. */
export function AnswerNumbers({ answer }: { answer: AnswerTurn }) {
  const { numbers, firstMs, servedBy } = answer;
  const cost = costOf(answer);
  if (!numbers && cost === undefined && firstMs === undefined) return null;
  const parts = [
    numbers && `${number(numbers.prompt)} + ${number(numbers.completion)} tokens`,
    numbers && numbers.cached > 0 && `${number(numbers.cached)} cached`,
    numbers && numbers.reasoning > 0 && `${number(numbers.reasoning)} reasoning`,
    numbers?.perSecond && `${numbers.perSecond.toFixed(1)} tokens/s`,
    firstMs !== undefined && `first after ${Math.round(firstMs)} ms`,
    !isRunning(answer) && cost !== undefined && `${credits(cost)} credits`,
    servedBy,
  ];
  return (
    <ul className="numbers quiet small" aria-label="Statistics of this answer">
      {parts.filter(Boolean).map((part) => (
        <li key={String(part)}>{part}</li>
      ))}
    </ul>
  );
}
