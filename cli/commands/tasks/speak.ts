import {
  SPEECH_CHARACTERS_MAX,
  SPEECH_FORMATS,
  VOICES,
  type SpeechFormat,
} from '../../../src/api/tasks/audio-formats.ts';
import { Failure } from '../../../src/base/errors.ts';
import { numberBetween, oneOf } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';

type SpeakOptions = {
  model: string;
  voice: string;
  format?: SpeechFormat;
  speed?: number;
  out?: string;
  play?: boolean;
  file?: string;
};

export const speak = command<SpeakOptions>({
  name: 'speak',
  group: 'Sound:',
  summary: 'turn text into speech',
  details:
    `At most ${SPEECH_CHARACTERS_MAX} characters. The extension of --out sets the format: ${SPEECH_FORMATS.join(', ')}. ` +
    '--play uses an audio player on this machine (paplay, aplay, ffplay, mpv, play, pw-play, or that of macOS ' +
    'or Windows). With --out -, or without --out and --play, the audio goes to stdout, unless that is a ' +
    'terminal.',
  examples: [
    'askd speak "Good morning" --play',
    'askd speak --file letter.txt --voice nova --out letter.mp3',
    'echo "It is done." | askd speak --out done.opus',
    'askd speak "Good morning" --format wav --out - | sox - louder.wav gain 6',
  ],
  configure(commander) {
    commander
      .argument('[text...]', 'the text; - reads it from stdin')
      .option('--voice <voice>', `${VOICES.join(', ')}, or another voice of the model`, 'alloy')
      .option('-o, --out <file>', 'output file; - for stdout')
      .option('--play', 'play it')
      .option('--format <format>', SPEECH_FORMATS.join(', '), oneOf(SPEECH_FORMATS))
      .option('--speed <number>', 'from 0.25 to 4', numberBetween(0.25, 4))
      .option('-f, --file <path>', 'a file with the text')
      .option('-m, --model <id>', 'the model', 'svc-tts-v1');
  },
  async run(context, { args, options }) {
    const [{ readWholeText }, { speakText }] = await Promise.all([
      import('../../tasks/text/inputs.ts'),
      import('../../tasks/audio/speak-text.ts'),
    ]);
    const text = (await readWholeText(context, args, options.file)).trim();
    if (text === '') {
      throw new Failure('missing_required_parameter', 'There is no text.', {
        details: { fix: 'askd speak "TEXT" --out speech.mp3' },
      });
    }
    await speakText(context, text, options);
  },
});
