import { parentPort, workerData } from 'node:worker_threads';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  RELEASE_SYNC,
  type QuickJSContext,
} from 'quickjs-emscripten';
import type { CodeJob, CodeOutcome, FromCode } from '../code.ts';

/** Node provides it, but without types. */
declare const WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => never };

const MEMORY_BYTES = 64 * 1024 * 1024;
const PAGE_BYTES = 64 * 1024;
/** The memory size that the VM was built with. */
const OWN_PAGES = 256;
const STACK_BYTES = 256 * 1024;

/** Runs one program in its own VM inside this thread, which is discarded afterwards. */
const { source, input, cpuMs, outputCharacters } = workerData as CodeJob;
// The VM's own limit checks each allocation, not their sum, so the memory itself is bounded.
const wasmMemory = new WebAssembly.Memory({
  initial: OWN_PAGES,
  maximum: OWN_PAGES + MEMORY_BYTES / PAGE_BYTES,
});
const quickJs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory }));
const runtime = quickJs.newRuntime();
runtime.setMemoryLimit(MEMORY_BYTES);
runtime.setMaxStackSize(STACK_BYTES);
let deadline = Infinity;
let isLate = false;
runtime.setInterruptHandler(() => (isLate ||= performance.now() > deadline));
const context = runtime.newContext();
let output = '';
givePrint(context);
giveInput(context);
parentPort?.postMessage({ status: 'started' } satisfies FromCode);
// Replies before anything is disposed of: a VM that overflowed may then crash its thread.
parentPort?.postMessage(run(context));

function run(vm: QuickJSContext): CodeOutcome {
  deadline = performance.now() + cpuMs;
  const outcome = evaluate(vm);
  // A program can catch its own interruption.
  return isLate ? { status: 'timeout', output, error: `it ran longer than ${cpuMs / 1000} s` } : outcome;
}

function evaluate(vm: QuickJSContext): CodeOutcome {
  const result = vm.evalCode(source, 'program.js');
  if (result.error) return failed(vm.dump(result.error));
  const jobs = runtime.executePendingJobs();
  if (jobs.error) return failed(vm.dump(jobs.error));
  // A program that uses promises ends when its last promise does.
  const end = vm.getPromiseState(result.value);
  if (end.type === 'pending')
    return { status: 'error', output, error: 'it waited for a promise that never settled' };
  if (end.type === 'rejected') return failed(vm.dump(end.error));
  const value: unknown = vm.dump(end.value);
  if (value !== undefined && output === '') print(describe(value));
  return { status: 'ok', output };
}

function failed(error: unknown): CodeOutcome {
  const { name = 'Error', message = String(error), stack = '' } = (error ?? {}) as Partial<Error>;
  if (/out of memory/.test(message))
    return { status: 'out_of_memory', output, error: 'it needed more than 64 MB' };
  const line = /program\.js:(\d+)/.exec(stack)?.[1];
  return { status: 'error', output, error: `${name}: ${message}${line ? ` (line ${line})` : ''}` };
}

/** The only host function that a program can call: it takes text and returns nothing. */
function givePrint(vm: QuickJSContext): void {
  const handle = vm.newFunction('print', (...values) => {
    print(values.map((value) => describe(vm.dump(value))).join(' '));
  });
  const console = vm.newObject();
  for (const name of ['log', 'info', 'warn', 'error']) vm.setProp(console, name, handle);
  vm.setProp(vm.global, 'print', handle);
  vm.setProp(vm.global, 'console', console);
}

function giveInput(vm: QuickJSContext): void {
  const text = vm.newString(JSON.stringify(input ?? null));
  vm.setProp(vm.global, 'inputText', text);
  vm.unwrapResult(
    vm.evalCode('globalThis.input = JSON.parse(inputText); delete globalThis.inputText;'),
  ).dispose();
}

function print(text: string): void {
  if (output.length < outputCharacters) output = `${output}${text}\n`.slice(0, outputCharacters);
}

function describe(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}
