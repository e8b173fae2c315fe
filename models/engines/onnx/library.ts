import type * as transformers from '@huggingface/transformers';
import { Failure } from '../../../src/base/errors.ts';

export type Transformers = typeof transformers;

let opened: Promise<Transformers> | undefined;

/** The library, once per process, with all network access off. */
export function openLibrary(): Promise<Transformers> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Transformers> {
  try {
    const library = await import('@huggingface/transformers');
    const { env, LogLevel } = library;
    env.allowRemoteModels = false;
    env.allowLocalModels = true;
    env.useFSCache = false;
    env.useBrowserCache = false;
    env.logLevel = LogLevel.ERROR;
    return library;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('model_load_failed', `ONNX Runtime does not run on this machine: ${reason}`, { cause });
  }
}
