import { Failure } from '../base/errors.ts';
import type { Library } from '../library/library.ts';
import type { Pool } from '../runtime/pool.ts';
import { stopReason, stopSignal, type TaskContext } from './items.ts';
import type { Fallbacks } from './fallback/fallback.ts';
import type { Meter, Metered } from './metered.ts';
import { resolveFor } from './resolve.ts';
import { reportServed } from './served.ts';
import { readLanguage } from './translation/languages.ts';
import { keepsPlaceholders, splitPlaceholders } from './translation/placeholders.ts';
import { cutBetween, cutSegments, joinSegments, type Segment } from './translation/segments.ts';
import {
  checkComplete,
  OUTPUT_TOKENS_MAX,
  translatorOf,
  type Started,
  type Translator,
} from './translation/translators.ts';

export type TranslateInput = { model: string; text: string; target: string; source?: string };
export type Translation = { text: string; promptTokens: number; completionTokens: number };

export type Translate = ReturnType<typeof createTranslate>;

type Options = { library: Library; pool: Pool; metered: Metered; fallbacks: Fallbacks };

export function createTranslate({ library, pool, metered, fallbacks }: Options) {
  async function translate(input: TranslateInput, context: TaskContext): Promise<Translation> {
    const { model, text, target, source } = input;
    const languages = {
      target: readLanguage(target, 'target_language'),
      ...(source !== undefined && { source: readLanguage(source, 'source_language') }),
    };
    const manifest = resolveFor(library, { model, task: 'translate', attempt: context.attempt });
    const segments = cutSegments(text);
    const wanted = segments.filter(({ kind }) => kind === 'translate');
    if (wanted.length === 0) return { text, promptTokens: 0, completionTokens: 0 };
    const signal = stopSignal(context);
    using slot = await pool.slot(manifest, signal);
    reportServed(context, manifest, slot.runner);
    const { accountId } = context;
    const translator = translatorOf(slot.runner, { languages, accountId, signal });
    const counted = { promptTokens: 0, completionTokens: 0 };
    const started = await translator.start(
      wanted.map((segment) => segment.text),
      () => OUTPUT_TOKENS_MAX - counted.completionTokens,
    );
    if (signal.aborted) throw stopReason(context);
    const request = { ...context, task: 'translate' as const, model, artifact: manifest.id };
    const counts = { promptTokens: started.promptTokens };
    const completionTokensMax = OUTPUT_TOKENS_MAX;
    const work = metered.run({ ...request, stream: false, counts, completionTokensMax }, (meter) =>
      run({ translator, started, segments, context, meter, counted }),
    );
    let translated = '';
    for await (const result of work) translated = result;
    return { text: translated, ...counted };
  }

  return {
    translate: (input: TranslateInput, context: TaskContext): Promise<Translation> =>
      fallbacks.once(input.model, context, (each) => translate(input, each)),
  };
}

type Running = {
  translator: Translator;
  started: Started;
  segments: readonly Segment[];
  context: TaskContext;
  meter: Meter;
  counted: { promptTokens: number; completionTokens: number };
};

async function* run(running: Running): AsyncGenerator<string> {
  const { translator, started, segments, context, meter } = running;
  try {
    const translations = await collect(running, started);
    const queue = [...translations];
    const joined: Segment[] = [];
    for (const segment of segments) {
      if (segment.kind === 'keep') joined.push(segment);
      else {
        const text = queue.shift() ?? '';
        const isWhole = keepsPlaceholders(segment.text, text);
        joined.push({ kind: 'keep', text: isWhole ? text : await aroundPlaceholders(running, segment.text) });
      }
    }
    yield joinSegments(joined);
    meter.outcome = 'finished';
    meter.finishReason = 'stop';
  } finally {
    if (meter.outcome === 'failed' && context.client.aborted) meter.outcome = 'disconnected';
  }

  /** The model never sees what it would not preserve: only the text between placeholders is translated. */
  async function aroundPlaceholders(all: Running, source: string): Promise<string> {
    const pieces = splitPlaceholders(source).flatMap((piece) =>
      piece.isPlaceholder ? [{ kind: 'keep' as const, text: piece.text }] : cutBetween(piece.text),
    );
    const wanted = pieces.filter(({ kind }) => kind === 'translate').map(({ text }) => text);
    if (wanted.length === 0) return source;
    const again = await translator.start(wanted, () => OUTPUT_TOKENS_MAX - all.counted.completionTokens);
    const translations = await collect(all, again);
    return joinSegments(
      pieces.map(({ kind, text }) => ({
        kind,
        text: kind === 'keep' ? text : (translations.shift() ?? ''),
      })),
    );
  }
}

/** Every translation that was started, all of them complete. */
async function collect({ context, meter, counted }: Running, { translations }: Started): Promise<string[]> {
  const texts: string[] = [];
  for await (const translated of translations) {
    counted.promptTokens += translated.promptTokens;
    counted.completionTokens += translated.completionTokens;
    meter.promptTokens = counted.promptTokens;
    meter.completionTokens = counted.completionTokens;
    if (context.client.aborted || context.daemon.aborted) throw stopReason(context);
    checkComplete(translated, OUTPUT_TOKENS_MAX - counted.completionTokens);
    if (!meter.mayGoOn()) throw outOfCredits();
    texts.push(translated.text);
  }
  if (context.client.aborted || context.daemon.aborted) throw stopReason(context);
  return texts;
}

function outOfCredits(): Failure {
  return new Failure(
    'insufficient_credits',
    'The credits ran out before the translation was complete. Add some: askd wallet topup 10',
    { details: { fix: 'askd wallet topup 10' } },
  );
}
