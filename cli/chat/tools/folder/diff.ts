/** Above this product of lines, everything between the first and the last difference is one change. */
const CELLS_MAX = 4_000_000;
const CONTEXT_LINES = 3;

type Edit = { mark: ' ' | '-' | '+'; line: string };

/** A unified diff of two texts; empty if they are equal. */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  const edits = editsOf(linesOf(before ?? ''), linesOf(after));
  const hunks = hunksOf(edits);
  if (hunks.length === 0) return before === undefined ? `--- /dev/null\n+++ ${path}` : '';
  return [`--- ${before === undefined ? '/dev/null' : path}`, `+++ ${path}`, ...hunks].join('\n');
}

const NO_NEWLINE = '\n\\ No newline at end of file';

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, last + NO_NEWLINE];
}

function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]) => lines.map((line): Edit => ({ mark: ' ', line }));
  return [
    ...same(before.slice(0, head)),
    ...middleEdits(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

/** By the longest common subsequence of lines. */
function middleEdits(before: readonly string[], after: readonly string[]): Edit[] {
  const removed = (line: string): Edit => ({ mark: '-', line });
  const added = (line: string): Edit => ({ mark: '+', line });
  if (before.length * after.length > CELLS_MAX) return [...before.map(removed), ...after.map(added)];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const edits: Edit[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const old = before[row];
    const fresh = after[column];
    if (old !== undefined && old === fresh) {
      edits.push({ mark: ' ', line: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      edits.push(removed(old));
      row += 1;
    } else if (fresh !== undefined) {
      edits.push(added(fresh));
      column += 1;
    }
  }
  return edits;
}

/** The changes with the lines around them. */
function hunksOf(edits: readonly Edit[]): string[] {
  const isNear = edits.map(() => false);
  edits.forEach(({ mark }, index) => {
    if (mark !== ' ') isNear.fill(true, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
  });
  const lines: string[] = [];
  let oldLine = 1;
  let newLine = 1;
  edits.forEach(({ mark, line }, index) => {
    if (isNear[index] && !isNear[index - 1]) lines.push(`@@ -${oldLine} +${newLine} @@`);
    if (isNear[index]) lines.push(`${mark}${line}`);
    if (mark !== '+') oldLine += 1;
    if (mark !== '-') newLine += 1;
  });
  return lines;
}
