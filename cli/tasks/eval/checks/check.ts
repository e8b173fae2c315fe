/** What an answer must be, as stated in a file of cases. */
export type Check =
  | { kind: 'exact'; texts: readonly string[]; ignoreCase: boolean }
  | { kind: 'contains'; texts: readonly string[]; ignoreCase: boolean }
  | { kind: 'not_contains'; texts: readonly string[]; ignoreCase: boolean }
  | { kind: 'regex'; pattern: string; ignoreCase: boolean }
  | { kind: 'json_schema'; schema: object | boolean }
  | { kind: 'tool_call'; name: string; arguments: Record<string, unknown> }
  | { kind: 'similar'; texts: readonly string[]; atLeast: number }
  | { kind: 'judge'; rubric: string; model: string | undefined; atLeast: number };

export type LocalCheck = Exclude<Check, { kind: 'similar' | 'judge' }>;

export type Answer = { text: string; toolCalls: readonly ToolCall[] };

/** Arguments that are not JSON stay text. */
export type ToolCall = { name: string; arguments: unknown };

/** An error says nothing about the answer: the check itself did not work. */
export type CheckResult = {
  check: Check['kind'];
  outcome: 'passed' | 'failed' | 'error';
  /** Why it did not pass; for a judge, its reason in any case. */
  reason: string | null;
  /** For `similar` and `judge`: from 0 to 1. */
  score?: number;
};
