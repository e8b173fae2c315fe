import type { AgentEvent } from '../../src/api/tasks/agent.ts';
import type { Context } from '../context.ts';
import { sanitiseLine } from '../output/sanitise.ts';

export type Viewer = {
  /** Whether it shows what is found, and the answer as it is written. */
  isLive: boolean;
  /** Shows the events of another run. */
  open: (question: string) => (event: AgentEvent) => void;
  /** Calls this with the terminal cleared for its output. */
  around: (write: () => void) => void;
  close: () => void;
};

/** How runs are shown while they are running: a live tree on a terminal, lines elsewhere. */
export async function openViewer(context: Context, { total }: { total: number }): Promise<Viewer> {
  if (!isForLive(context)) return plainViewer(context, total);
  const { io, environment, options, output } = context;
  const [{ createLiveView }, { chooseGlyphs }] = await Promise.all([
    import('../tui/live/live-view.ts'),
    import('../tui/render/theme.ts'),
  ]);
  const look = { glyphs: chooseGlyphs(environment.env), links: output.links };
  const hasColor = options.color && !environment.noColor;
  return { isLive: true, ...createLiveView({ stream: io.stderr, look, hasColor, total }) };
}

function isForLive({ io, environment, options }: Context): boolean {
  const isQuiet = options.json || options.quiet || options.plain;
  return (
    io.stderr.isTTY === true && !isQuiet && !environment.isScreenReader && environment.env['TERM'] !== 'dumb'
  );
}

/** A line for each step, prefixed with the number of the run if there are several. */
function plainViewer({ output }: Context, total: number): Viewer {
  let opened = 0;
  return {
    isLive: false,
    open(question) {
      const label = total === 1 ? '' : `[${(opened += 1)}] `;
      const note = (text: string) => output.note(label + text);
      if (label !== '' && !output.json) note(sanitiseLine(question));
      return (event) => {
        if (!output.json) printStep(note, event);
      };
    },
    around: (write) => write(),
    close: () => undefined,
  };
}

function printStep(note: (text: string) => void, event: AgentEvent): void {
  if (event.type === 'step') note(sanitiseLine(event.message));
  if (event.type !== 'tool') return;
  const detail = event.detail === undefined ? '' : ` ${sanitiseLine(event.detail)}`;
  if (event.status === 'start') note(`  ${event.name}:${detail}`);
  else
    note(
      `  ${event.name} ${event.status === 'ok' ? 'done' : event.status.replace('_', ' ')}${detail && `:${detail}`} (${event.ms ?? 0} ms)`,
    );
}
