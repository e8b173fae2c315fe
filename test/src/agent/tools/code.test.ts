import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../../src/agent/tools/code.ts';
import { builtFile } from '../../../../src/paths.ts';

const sandbox = createSandbox(builtFile('src/agent/tools/code/code-worker.js'));
const run = (source: string, input?: unknown) =>
  sandbox.run(source, { input, signal: new AbortController().signal });

describe('a program in the sandbox', () => {
  test('prints, reads its input, and the last value counts where nothing was printed', async () => {
    expect(
      await run('print("sum", input.reduce((a, b) => a + b, 0)); console.log({ a: [1] })', [1, 2, 3]),
    ).toEqual({
      status: 'ok',
      output: 'sum 6\n{"a":[1]}\n',
    });
    expect(await run('6 * 7')).toEqual({ status: 'ok', output: '42\n' });
    expect(await run('(async () => { await null; print("later") })(); undefined')).toMatchObject({
      output: 'later\n',
    });
  });

  test('sees nothing of the host', async () => {
    const names = [
      'process',
      'require',
      'fetch',
      'XMLHttpRequest',
      'setTimeout',
      'WebAssembly',
      'Buffer',
      'module',
    ];
    const { output } = await run(`print(${names.map((name) => `typeof ${name}`).join(', ')})`);
    expect(output.trim().split(' ')).toEqual(names.map(() => 'undefined'));
    const escape = 'print.constructor("return typeof process + typeof globalThis.require")()';
    expect(await run(escape)).toMatchObject({ status: 'ok', output: 'undefinedundefined\n' });
    expect(await run('import("fs").then(() => print("in"), () => print("refused")); 0')).not.toMatchObject({
      output: 'in\n',
    });
  });

  test.each([
    ['while (true) {}', 'timeout'],
    ['/(a+)+$/.test("a".repeat(40) + "b"); while (true) {}', 'timeout'],
    ['"x".repeat(1e9)', 'out_of_memory'],
    ['(function deeper() { deeper() })()', 'error'],
    ['JSON.parse("[".repeat(1e5))', 'error'],
    ['null.x', 'error'],
    ['syntax error here', 'error'],
    ['throw "a string"', 'error'],
  ])('is ended and told: %s', async (source, status) => {
    const outcome = await run(source);
    expect(outcome.status).toBe(status);
    expect(outcome.error).toEqual(expect.any(String));
  });

  test('is told the line of its mistake', async () => {
    expect((await run('const a = 1;\n\na.b.c')).error).toMatch(/TypeError: .*\(line 3\)/);
  });

  test('writes no more than it may', async () => {
    const { output } = await run('for (let i = 0; i < 1e5; i++) print("0123456789")');
    expect(output).toHaveLength(8192);
  });

  test('ends with the run that it belongs to', async () => {
    const controller = new AbortController();
    const running = sandbox.run('while (true) {}', { signal: controller.signal });
    controller.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
  });
});
