import type { AgentEvent, Found, Phase, ToolEnd, ToolName } from '../types.ts';
import { oneLine } from '../reading/clean-text.ts';

const DETAIL_MAX = 200;
const FOUND_MAX = 10;

/** How a tool call ended. The detail is a name, an address or a count, never the text of a page. */
export type ToolResult<Value> = {
  status: ToolEnd;
  detail?: string;
  found?: readonly Found[];
  value: Value;
};

export type ReportStep = ReturnType<typeof createReportStep>;

/** Reports the steps of a run in order. Every tool that starts also ends, whatever happens. */
export function createReportStep({
  emit,
  now = () => performance.now(),
}: {
  emit: (event: AgentEvent) => void;
  now?: () => number;
}) {
  let serial = 0;

  function step(message: string, more: { cycle?: number; phase?: Phase } = {}): void {
    emit({ type: 'step', message, ...more });
  }

  /** Runs the tools in parallel but reports their ends in the order of their starts, so equal runs report the same. */
  async function tools<Value>(
    works: readonly { name: ToolName; detail: string; work: () => Promise<ToolResult<Value>> }[],
    signal: AbortSignal,
  ): Promise<Value[]> {
    const started = works.map(({ name, detail, work }) => {
      const id = `t${(serial += 1)}`;
      const startedAt = now();
      emit({ type: 'tool', name, status: 'start', id, detail: oneLine(detail, DETAIL_MAX) });
      const done = work();
      done.catch(() => undefined);
      return { name, id, startedAt, done };
    });
    const values: Value[] = [];
    let failure: { error: unknown } | undefined;
    for (const { name, id, startedAt, done } of started) {
      const end = (status: ToolEnd, detail?: string, found?: readonly Found[]) =>
        emit({
          type: 'tool',
          name,
          status,
          id,
          ...(detail !== undefined && { detail: oneLine(detail, DETAIL_MAX) }),
          ms: Math.round(now() - startedAt),
          ...(found !== undefined && { found: found.slice(0, FOUND_MAX).map(bounded) }),
        });
      try {
        const { status, detail, found, value } = await done;
        end(status, detail, found);
        values.push(value);
      } catch (error) {
        end(signal.aborted ? 'cancelled' : 'error');
        failure ??= { error };
      }
    }
    if (failure) throw failure.error;
    return values;
  }

  return { step, tools };
}

function bounded({ url, title }: Found): Found {
  return { url, title: oneLine(title, DETAIL_MAX) };
}
