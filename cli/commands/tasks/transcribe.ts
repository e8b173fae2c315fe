import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '../../../src/api/tasks/audio-formats.ts';
import { Failure } from '../../../src/base/errors.ts';
import { oneOf } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { sanitise } from '../../output/sanitise.ts';

type TranscribeOptions = {
  model: string;
  format: TranscriptFormat;
  out?: string;
  language?: string;
  prompt?: string;
  translate?: boolean;
  words?: boolean;
  again?: boolean;
};

export const transcribe = command<TranscribeOptions>({
  name: 'transcribe',
  group: 'Sound:',
  summary: 'transcribe audio and video files',
  details:
    'One transcript goes to stdout, or to --out. With several files, each goes next to its file, or into the folder --out; ' +
    'existing transcripts are skipped, so running the same command again resumes it.',
  examples: [
    'askd transcribe interview.mp3',
    'askd transcribe film.mp4 --format srt --out film.srt',
    'askd transcribe recordings/*.m4a --format vtt --out subtitles/',
    'askd transcribe brief.ogg --translate',
  ],
  configure(commander) {
    commander
      .argument('<file...>', 'mp3, mp4, mpeg, mpga, m4a, wav, webm, flac, ogg')
      .option('-f, --format <format>', TRANSCRIPT_FORMATS.join(', '), oneOf(TRANSCRIPT_FORMATS), 'text')
      .option('-o, --out <path>', 'output file; for several files, a folder')
      .option('-l, --language <language>', 'spoken language (default: detected)')
      .option('-m, --model <id>', 'the model', 'svc-whisper-v1')
      .option('--prompt <text>', 'preceding text, or the spelling of names')
      .option('--translate', 'translate into English')
      .option('--words', 'word timestamps, for verbose_json')
      .option('--again', 'overwrite existing transcripts');
  },
  async run(context, { args, options }) {
    if (options.words && options.format !== 'verbose_json') {
      throw new Failure('invalid_value', '--words needs --format verbose_json.');
    }
    const { transcribeFiles } = await import('../../tasks/audio/transcribe-files.ts');
    const { output } = context;
    const client = await context.connect('inference');
    const results = await transcribeFiles({ context, client, files: args, options });
    const shown = results
      .filter(({ out }) => out === null)
      .map(({ text }) => (text ?? '').replace(/\n$/, ''))
      .map((text) => (output.width === Infinity ? text : sanitise(text)));
    if (output.json || shown.length > 0) {
      output.result({ schema: 'transcribe/1', model: options.model, files: results }, () => shown.join('\n'));
    }
  },
});
