import { describe, expect, test } from 'vitest';
import type { Script } from '../../../helpers/agent/scripted-chat.ts';
import { eventsOf, withWorld } from '../../../helpers/agent/world-daemon.ts';

const LATE = /longer than 2 s|in time/;

const PROGRAMS: readonly [what: string, program: string, error: RegExp][] = [
  ['takes all memory', 'const kept = []; for (;;) kept.push(new Uint8Array(1e7))', /more than 64 MB/],
  ['never ends', 'for (;;);', LATE],
  ['never stops printing', 'for (;;) print("x".repeat(1000))', LATE],
  ['calls itself for ever', '(function deeper() { deeper() })()', /stack|broke|in time/],
  ['changes what objects are', 'Object.prototype.toJSON = () => { throw 1 }; null.x', /TypeError/],
  ['looks for the host', 'print.constructor("return process.env")()', /'process' is not defined/],
  ['reads a file', 'require("node:fs").readFileSync("/etc/passwd")', /'require' is not defined/],
];

/** Writes the given program and, after that has failed, one that works. */
function createCoder() {
  const state = { program: '', tries: 0 };
  const script: Script = ({ kind, schema }) => {
    if (kind === 'decide') {
      const isDone = JSON.stringify(schema).includes('"answer"');
      return JSON.stringify(
        isDone
          ? { thought: 'done', action: 'answer', confidence: 'full' }
          : { thought: 'run', action: 'code', task: 'multiply' },
      );
    }
    if (kind === 'code')
      return `\`\`\`js\n${(state.tries += 1) === 1 ? state.program : 'print(6 * 7)'}\n\`\`\``;
    return 'The product is 42 [1].';
  };
  return { script, write: (program: string) => void Object.assign(state, { program, tries: 0 }) };
}

describe('a program written by a model', () => {
  test('that fails is an error of its tool, and the daemon is unharmed', { timeout: 120_000 }, async () => {
    const { script, write } = createCoder();
    const { stream, call } = await withWorld(script);
    const watch = async (running: Promise<unknown>) => {
      const statuses = new Set<number>();
      let isOver = false;
      void running.finally(() => (isOver = true));
      while (!isOver) statuses.add((await call('GET', '/healthz')).status);
      return [...statuses];
    };
    const run = async (program: string) => {
      write(program);
      const running = stream({ query: 'What is 6 times 7?', mode: 'coding' });
      const health = await watch(running);
      const { events } = eventsOf((await running).text);
      const ends = events.flatMap((event) =>
        event.type === 'tool' && event.status !== 'start' ? [event] : [],
      );
      return { health, events, ends };
    };
    for (const [what, program, error] of PROGRAMS) {
      let ran = await run(program);
      // Any program times out if the machine stalls for seconds, and one that times out each time is too slow.
      for (let again = 0; again < 2 && !error.test(ran.ends[0]?.detail ?? ''); again++) {
        if (!LATE.test(ran.ends[0]?.detail ?? '')) break;
        ran = await run(program);
      }
      const { health, events, ends } = ran;
      expect([what, ends]).toMatchObject([
        what,
        [
          { name: 'code', status: 'error', detail: expect.stringMatching(error) },
          { name: 'code', status: 'ok' },
        ],
      ]);
      expect(events.at(-1)).toMatchObject({ type: 'done', stopped: 'answered' });
      expect(health).toEqual([200]);
    }
  });
});
