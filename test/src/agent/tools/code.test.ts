import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../../src/agent/tools/code.ts';
import { entryFile } from '../../../../src/base/paths.ts';

const sandbox = createSandbox(entryFile('src/agent/tools/code/code-worker.js'));
const run = (source: string, input?: unknown) =>
  sandbox.run(source, { input, signal: new AbortController().signal });

describe('a program in the sandbox', () => {
  test('prints, reads its input, and returns its last value if nothing was printed', async () => {
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
  });

  test.each([
    'print.constructor("return typeof process")()',
    'print.constructor.constructor("return typeof this.process")()',
    'new Function("return typeof globalThis.process")()',
    '(async () => {}).constructor("return typeof process")() && typeof process',
    'Error.prepareStackTrace = (_, frames) => frames; typeof new Error().stack[0].getThis?.().process',
    '({}).constructor.constructor("return typeof module")()',
    'Reflect.getPrototypeOf(print).constructor("return typeof require")()',
  ])('finds no way to the host: %s', async (escape) => {
    const { status, output } = await run(escape);
    if (status === 'ok') expect(output).toBe('undefined\n');
    else expect(status).toBe('error');
  });

  test('imports nothing', async () => {
    for (const name of ['fs', 'node:fs', 'file:///etc/passwd', 'data:text/javascript,0', './code.js']) {
      const { output } = await run(`import("${name}").then(() => print("in"), () => print("refused")); 0`);
      expect(output).not.toContain('in\n');
    }
  });

  test('can change built-in prototypes only for itself', async () => {
    const tamper = `
      Object.prototype.status = 'ok'; Object.prototype.toJSON = () => 'fake'; Object.prototype.stack = 1;
      Array.prototype.map = Array.prototype.join = String.prototype.slice = JSON.stringify = () => 'fake';
      JSON.parse = Promise.prototype.then = Function.prototype.call = null;
      globalThis.console = globalThis.input = null;`;
    expect(await run(`${tamper} 6 * 7`)).toEqual({ status: 'ok', output: '42\n' });
    expect(await run(`${tamper} null.x`)).toMatchObject({ status: 'error' });
    expect(({} as { status?: string }).status).toBeUndefined();
    expect(await run('print([1, 2].map((each) => each * 2).join())')).toEqual({
      status: 'ok',
      output: '2,4\n',
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
    ['const kept = []; for (;;) kept.push(new Uint8Array(1e7))', 'out_of_memory'],
    ['let text = "x"; for (;;) text += text', 'error'],
    ['for (;;) print("x".repeat(1000))', 'timeout'],
    ['const again = () => void Promise.resolve().then(again); again()', 'timeout'],
    ['(async () => { null.x })()', 'error'],
    ['new Promise(() => {})', 'error'],
    ['(async () => { const kept = []; for (;;) kept.push(new Uint8Array(1e7)) })()', 'out_of_memory'],
    ['print({ toJSON() { for (;;); } })', 'timeout'],
    ['throw { get message() { for (;;); } }', 'timeout'],
    ['const proxy = new Proxy({}, { get: (_, name) => proxy[name] }); proxy.x', 'error'],
    ['throw { message: { toString: null }, name: {}, stack: 1 }', 'error'],
  ])('is ended and reported: %s', async (source, status) => {
    const outcome = await run(source);
    expect(outcome.status).toBe(status);
    expect(outcome.error).toEqual(expect.any(String));
  });

  test('may use promises, and answers with the result of the last one', async () => {
    expect(await run('(async () => (await Promise.resolve(6)) * 7)()')).toEqual({
      status: 'ok',
      output: '42\n',
    });
    // One that never ends, and keeps everything that it has done: whichever limit it reaches first.
    const { status } = await run('const again = () => Promise.resolve().then(again); again()');
    expect(status).not.toBe('ok');
  });

  test('is told the line of its error', async () => {
    expect((await run('const a = 1;\n\na.b.c')).error).toMatch(/TypeError: .*\(line 3\)/);
  });

  test('writes no more than its limit', async () => {
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
