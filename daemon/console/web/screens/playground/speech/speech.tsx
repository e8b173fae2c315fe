import { DownloadButton } from '../form/download-button.tsx';
import { ChoiceField, InputField, NumberField, TextField } from '../form/fields.tsx';
import { ServiceForm } from '../form/service-form.tsx';
import { release, toSound, type Sound } from '../form/sound.ts';
import { numberOf } from '../form/texts.ts';
import { useRemembered } from '../form/use-remembered.ts';
import { useRun, type Tools } from '../form/use-run.ts';
import { RAW, wavHead } from './pcm.ts';
import { startPlaying, type Playing } from './playing.ts';
import { useVoices } from './use-voices.ts';

const PATH = '/v1/audio/speech';
const CHARACTERS_MAX = 4096;
const FORMATS = ['wav', 'mp3', 'opus', 'aac', 'flac', 'pcm'];
const TYPES: Readonly<Record<string, string>> = {
  ...{ wav: 'audio/wav', pcm: 'audio/wav', mp3: 'audio/mpeg', opus: 'audio/ogg' },
  ...{ aac: 'audio/aac', flac: 'audio/flac' },
};
const EMPTY = { model: 'svc-tts-v1', input: '', voice: 'alloy', speed: '', format: 'wav' };
type Fields = typeof EMPTY;
/** What has arrived so far, and once it has ended, the sound. */
type Answer = { bytes: number; sound?: Sound; file?: Blob; name?: string };

const EXAMPLES: Readonly<Record<string, string>> = {
  'A greeting': 'Hello! It is nice to meet you. How can I help you today?',
  'A short story':
    'The rain had stopped. A small boat turned slowly on the lake, and somewhere behind the trees a bell rang twice. Nobody answered it.',
};

/** One sound at a time, whichever request it belongs to. */
let playing: Playing | undefined;

export function Speech() {
  const [fields, change] = useRemembered<Fields>('speech', EMPTY);
  const { run, start, stop } = useRun<Answer>('speech');
  const set = (part: Partial<Fields>) => change((all) => ({ ...all, ...part }));
  const speak = (wanted: Fields) => {
    playing?.stop();
    release(run.answer?.sound);
    return start((tools) => synthesize(wanted, tools));
  };
  return (
    <ServiceForm
      name="Speech"
      categories={['text-to-speech']}
      model={fields.model}
      onModel={(model) => set({ model })}
      action="Speak"
      isReady={fields.input.trim() !== ''}
      run={run}
      onRun={() => void speak(fields)}
      onStop={() => {
        stop();
        playing?.stop();
      }}
      examples={Object.entries(EXAMPLES).map(([name, input]) => ({
        name,
        run: () => {
          change(() => ({ ...fields, input }));
          void speak({ ...fields, input });
        },
      }))}
      request={{ path: PATH, body: toBody(fields), saveAs: `speech.${fields.format}` }}
      settings={<Settings fields={fields} set={set} />}
      result={run.answer && <Spoken answer={run.answer} />}
    >
      <TextField
        label="Text"
        value={fields.input}
        onChange={(input) => set({ input })}
        maxLength={CHARACTERS_MAX}
        hint={`${[...fields.input].length} of ${CHARACTERS_MAX} characters`}
      />
    </ServiceForm>
  );
}

async function synthesize(fields: Fields, { send, show, signal }: Tools<Answer>): Promise<void> {
  const { body } = await send(PATH, toBody(fields));
  if (!body) throw new Error('The daemon’s answer has no audio.');
  const player = startPlaying(fields.format);
  playing = player;
  signal.addEventListener('abort', player.stop);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const bytes of body) {
    parts.push(bytes);
    player.push(bytes);
    show((answer) => ({ bytes: (answer?.bytes ?? 0) + bytes.length }));
  }
  player.end();
  const { format } = fields;
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const name = `speech.${format}`;
  const playable = format === 'pcm' ? [wavHead(size, RAW), ...parts] : parts;
  show(() => ({
    bytes: size,
    name,
    file: new Blob(parts),
    sound: toSound(name, new Blob(playable, { type: TYPES[format] ?? '' })),
  }));
}

function Spoken({ answer: { bytes, sound, file, name } }: { answer: Answer }) {
  if (!sound || !file || !name) return <p>{(bytes / 1024).toFixed(0)} KiB of audio so far</p>;
  return (
    <>
      <audio controls src={sound.address} aria-label="Speech" onPlay={() => playing?.stop()} />
      <div className="row">
        <DownloadButton label={`Download ${name}`} name={name} content={() => file} />
        <span className="quiet small">{(bytes / 1024).toFixed(0)} KiB</span>
      </div>
    </>
  );
}

function Settings({ fields, set }: { fields: Fields; set: (part: Partial<Fields>) => void }) {
  const voices = useVoices(fields.model);
  return (
    <>
      {voices.length > 0 ? (
        <ChoiceField
          label="Voice"
          value={fields.voice}
          options={voices}
          onChange={(voice) => set({ voice })}
        />
      ) : (
        <InputField label="Voice" value={fields.voice} onChange={(voice) => set({ voice })} />
      )}
      <NumberField
        label="Speed"
        value={fields.speed}
        onChange={(speed) => set({ speed })}
        min={0.25}
        max={4}
        step={0.05}
        placeholder="1"
      />
      <ChoiceField
        label="Format"
        value={fields.format}
        options={FORMATS}
        onChange={(format) => set({ format })}
        hint="wav, pcm and mp3 play while they arrive."
      />
    </>
  );
}

function toBody({ model, input, voice, speed, format }: Fields) {
  return { model, input, voice, speed: numberOf(speed), response_format: format };
}
