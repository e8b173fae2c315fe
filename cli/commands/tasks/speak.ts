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
  summary: 'read a text aloud',
  details:
    `At most ${SPEECH_CHARACTERS_MAX} characters. The name of --out says the format: ${SPEECH_FORMATS.join(', ')}. ` +
    'It is played by a program of this machine (paplay, aplay, ffplay, mpv, play, pw-play, or what macOS and Windows have). ' +
    'With --out - , or with neither --out nor --play, it goes to stdout, where that is no terminal.',
  examples: [
    'askd speak "Good morning" --play',
    'askd speak --file letter.txt --voice nova --out letter.mp3',
    'echo "It is done." | askd speak --out done.opus',
    'askd speak "Good morning" --format wav --out - | sox - louder.wav gain 6',
  ],
  configure(commander) {
    commander
      .argument('[text...]', 'the text; - reads it from stdin')
      .option('--voice <voice>', `${VOICES.join(', ')}, or one that the model has`, 'alloy')
      .option('-o, --out <file>', 'where the sound goes; - for stdout')
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
