import { extname } from 'node:path';
import { SPEECH_FORMATS, type SpeechFormat } from '../../src/api/audio-formats.ts';
import { Failure } from '../../src/errors.ts';
import type { Context } from '../context.ts';
import { findPlayer } from './player.ts';
import { writeSound } from './sound-file.ts';

type Options = {
  model: string;
  voice: string;
  format?: SpeechFormat;
  speed?: number;
  out?: string;
  play?: boolean;
};

export async function speakText(context: Context, text: string, options: Options): Promise<void> {
  const { output, io } = context;
  const { model, voice, speed = 1, out } = options;
  if (out === undefined && !options.play && io.stdout.isTTY) {
    throw new Failure('missing_required_parameter', 'Sound is nothing for a terminal.', {
      details: { fix: 'add --play, or --out speech.mp3' },
    });
  }
  const format = formatOf(options);
  const player = options.play
    ? findPlayer({ env: context.environment.env, signal: context.signal })
    : undefined;
  const client = await context.connect('inference');
  const say = (response_format: SpeechFormat) =>
    client.sound.speech({ model, input: text, voice, speed, response_format });
  if (out !== undefined) {
    const bytes = await writeSound(out, say(format), format);
    output.result({ schema: 'speak/1', model, voice, format, out, bytes }, () => out);
  }
  if (player) await player.play(say(player.format));
  else if (out === undefined) await pipeTo(say(format), io.stdout);
}

/** Said by a flag, or by the name of the file. */
function formatOf({ format, out }: Options): SpeechFormat {
  if (format !== undefined || out === undefined) return format ?? 'mp3';
  const name = extname(out).slice(1).toLowerCase();
  const known = { ogg: 'opus', ...Object.fromEntries(SPEECH_FORMATS.map((each) => [each, each])) } as Record<
    string,
    SpeechFormat
  >;
  const found = known[name];
  if (found) return found;
  throw new Failure('invalid_value', `"${out}" does not say in which format the sound is wanted.`, {
    details: { fix: `give it an ending of ${SPEECH_FORMATS.join(', ')}, or add --format` },
  });
}

async function pipeTo(sound: AsyncIterable<Buffer>, stream: NodeJS.WritableStream): Promise<void> {
  for await (const chunk of sound) {
    if (!stream.write(chunk)) await new Promise((resolve) => stream.once('drain', resolve));
  }
}
