import {
  writeWordTranslator,
  type WordTranslatorOptions,
} from '../../../scripts/fixtures/word-translator.ts';
import { writeMarkerModel, type MarkerModelOptions } from '../../../scripts/fixtures/marker-model.ts';
import { writeWordEmbedder } from '../../../scripts/fixtures/word-embedder.ts';
import {
  writeWordClassifier,
  writeWordOnnxEmbedder,
  writeWordOnnxRanker,
  type WordClassifierOptions,
} from '../../../scripts/fixtures/word-onnx.ts';
import { writeWordRanker } from '../../../scripts/fixtures/word-ranker.ts';
import { makeOnce } from './models.ts';

/** All words that the tiny text models know; any other word is unknown to them. */
export const WORDS = (
  'the a cat dog sat on mat sun moon is of blue red green sky bird fish eats water fire stone tree how what who ' +
  'france paris berlin germany capital'
).split(' ');

type WordModelOptions = { name?: string; dimensions?: number; contextTokens?: number };

/** A GGUF embedder that gives texts with the same words the same vector. */
export async function wordEmbedder(options: WordModelOptions = {}) {
  const wanted = { words: WORDS, ...options };
  return { path: await makeOnce('word-embedder', wanted, (file) => writeWordEmbedder(file, wanted)) };
}

/** A GGUF cross-encoder that prefers documents which share words with the query. */
export async function wordRanker(options: Pick<WordModelOptions, 'contextTokens'> = {}) {
  const wanted = { words: WORDS, ...options };
  return { path: await makeOnce('word-ranker', wanted, (file) => writeWordRanker(file, wanted)) };
}

/** The same two as folders of ONNX files. */
export async function onnxEmbedder(options: WordModelOptions = {}) {
  const wanted = { words: WORDS, ...options };
  return { path: await makeOnce('onnx-embedder', wanted, (folder) => writeWordOnnxEmbedder(folder, wanted)) };
}

export async function onnxRanker(options: Pick<WordModelOptions, 'contextTokens'> = {}) {
  const wanted = { words: WORDS, ...options };
  return { path: await makeOnce('onnx-ranker', wanted, (folder) => writeWordOnnxRanker(folder, wanted)) };
}

/** A folder of ONNX files with a classifier whose labels fire on their own words. */
export async function onnxClassifier(options: Omit<WordClassifierOptions, 'words'>) {
  const wanted = { words: WORDS, ...options };
  return { path: await makeOnce('onnx-classifier', wanted, (folder) => writeWordClassifier(folder, wanted)) };
}

/** A model that answers "yes" if the marker was written, otherwise "no". */
export async function markerModel(options: MarkerModelOptions = {}) {
  return { path: await makeOnce('marker', options, (file) => writeMarkerModel(file, options)) };
}

/** A translator of the M2M100 family that generates one sentence for each language. */
export async function wordTranslator(sentences: WordTranslatorOptions['sentences']) {
  const wanted = { words: WORDS, sentences };
  return { path: await makeOnce('translator', wanted, (folder) => writeWordTranslator(folder, wanted)) };
}

export function similarity(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** As many words as wanted, plus two tokens for the beginning and the end. */
export function wordsOf(count: number): string {
  return Array.from({ length: count }, (_, index) => WORDS[index % WORDS.length]).join(' ');
}
