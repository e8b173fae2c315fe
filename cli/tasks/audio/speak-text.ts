import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { SPEECH_FORMATS, type SpeechFormat } from '../../../src/api/tasks/audio-formats.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Context } from '../../context.ts';
import { findPlayer } from './player.ts';
import { asFormat, writeSound, type Sound } from './sound-file.ts';

type Options = {
  model: string;
  voice: string;
  format?: SpeechFormat;
  speed?: number;
  out?: string;
  play?: boolean;
};

const STDOUT = '-';

/** The audio is synthesized once, whatever is done with it. */
export async function speakText(context: Context, text: string, options: Options): Promise<void> {
  const { io } = context;
  const { model, voice, speed = 1, out = STDOUT } = options;
  const environment = { env: context.environment.env, signal: context.signal };
  const say = async (response_format: SpeechFormat) => {
    const client = await context.connect('inference');
    return client.sound.speech({ model, input: text, voice, speed, response_format });
  };
  if (options.play && options.out === undefined) {
    const player = findPlayer(environment);
    return player.play(await say(player.format));
  }
  if (out === STDOUT && io.stdout.isTTY) throw nothingForTerminal(options);
  const format = formatOf(options);
  const player = options.play ? findPlayer(environment, format) : undefined;
  const sound = await say(format);
  const again =
    out === STDOUT
      ? await pipeTo(io.stdout, sound, player !== undefined)
      : await keep(context, sound, { ...options, out, format });
  if (player) await player.play(asFormat(await again(), { from: format, to: player.format }));
}

/** Replays the audio for the player. */
type Again = () => Buffer | Promise<Buffer>;
type Kept = Options & { out: string; format: SpeechFormat };

async function keep({ output }: Context, sound: Sound, { model, voice, out, format }: Kept): Promise<Again> {
  const bytes = await writeSound(out, sound, format);
  output.result({ schema: 'speak/1', model, voice, format, out, bytes }, () => out);
  return () => readFile(out);
}

function nothingForTerminal({ play }: Options): Failure {
  const fix = `${play ? 'remove --out -' : 'add --play'}, or --out speech.mp3`;
  return new Failure('missing_required_parameter', 'Audio cannot be printed on a terminal.', {
    details: { fix },
  });
}

/** From a flag, or from the extension of the file. */
function formatOf({ format, out }: Options): SpeechFormat {
  if (format !== undefined || out === undefined || out === STDOUT) return format ?? 'mp3';
  const name = extname(out).slice(1).toLowerCase();
  const known = { ogg: 'opus', ...Object.fromEntries(SPEECH_FORMATS.map((each) => [each, each])) } as Record<
    string,
    SpeechFormat
  >;
  const found = known[name];
  if (found) return found;
  throw new Failure('invalid_value', `The name "${out}" has no audio extension.`, {
    details: { fix: `use one of ${SPEECH_FORMATS.join(', ')}, or add --format` },
  });
}

async function pipeTo(stream: NodeJS.WritableStream, sound: Sound, isPlayed: boolean): Promise<Again> {
  const parts: Buffer[] = [];
  for await (const part of sound) {
    if (isPlayed) parts.push(part);
    if (!stream.write(part)) await new Promise((resolve) => stream.once('drain', resolve));
  }
  return () => Buffer.concat(parts);
}
