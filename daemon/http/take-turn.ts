/** Pieces of work that begin in one turn of the event loop: each takes about half a millisecond. */
const WORKS_A_TURN = 8;

const waiting: (() => void)[] = [];
let begun = 0;
let isCounting = false;

/**
 * Work that waits for nothing keeps the event loop, and with it everybody else. So it asks for a turn, and begins at
 * once (undefined) unless others have had this one. The event loop is one for the process, and so is this queue.
 */
export function takeTurn(): Promise<void> | undefined {
  if (!isCounting) countAgain();
  if (begun < WORKS_A_TURN && waiting.length === 0) return void (begun += 1);
  return new Promise((resolve) => void waiting.push(resolve));
}

function countAgain(): void {
  isCounting = true;
  setImmediate(beginTurn);
}

function beginTurn(): void {
  const first = waiting.splice(0, WORKS_A_TURN);
  begun = first.length;
  isCounting = false;
  if (begun > 0) countAgain();
  for (const begin of first) begin();
}
