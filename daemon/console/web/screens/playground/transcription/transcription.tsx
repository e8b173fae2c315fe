import type { TranscriptEvent } from '../../../../../../src/api/tasks/audio.ts';
import { answerEvents } from '../form/answer-events.ts';
import { CheckField, ChoiceField, InputField, NumberField } from '../form/fields.tsx';
import { LanguageField } from '../form/language-field.tsx';
import { ServiceForm, type Example } from '../form/service-form.tsx';
import { isMissing, useServiceModels } from '../form/service-models.ts';
import { release, toSound, type Sound } from '../form/sound.ts';
import { useRemembered } from '../form/use-remembered.ts';
import { useRun, type Tools } from '../form/use-run.ts';
import { Player, usePlayer } from './player.tsx';
import { EMPTY, pathOf, toBody, toForm, type Fields } from './request.ts';
import { SoundField } from './sound-field.tsx';
import { add, NOTHING, type Transcript } from './transcript.ts';
import { TranscriptView } from './transcript-view.tsx';
import './transcription.css';

const SPEAKER = 'svc-tts-v1';
const SPOKEN = 'Hello! This sentence was spoken by one model and is transcribed by another.';

export function Transcription() {
  const [fields, change] = useRemembered<Fields>('transcription', EMPTY);
  const [sound, changeSound] = useRemembered<Sound | undefined>('transcription sound', undefined);
  const { run, start, stop } = useRun<Transcript>('transcription');
  const player = usePlayer();
  const canSpeak = useServiceModels(['text-to-speech']).models.some(
    (model) => model.id === SPEAKER && !isMissing(model),
  );
  const set = (part: Partial<Fields>) => change((all) => ({ ...all, ...part }));
  const take = (next: Sound) =>
    changeSound((before) => {
      release(before);
      return next;
    });
  const transcribe = (wanted: Sound) => start((tools) => listen(fields, wanted, tools));
  const speakFirst: Example = {
    name: 'A sentence spoken by a model',
    run: () =>
      void start(async (tools) => {
        const body = { model: SPEAKER, input: SPOKEN, response_format: 'wav' };
        const spoken = toSound('example.wav', await (await tools.send('/v1/audio/speech', body)).blob());
        take(spoken);
        await listen(fields, spoken, tools);
      }),
  };
  return (
    <ServiceForm
      name="Transcription"
      categories={['speech-to-text']}
      model={fields.model}
      onModel={(model) => set({ model })}
      action={fields.task === 'translate' ? 'Translate into English' : 'Transcribe'}
      isReady={sound !== undefined}
      run={run}
      onRun={() => sound && void transcribe(sound)}
      onStop={stop}
      examples={canSpeak ? [speakFirst] : []}
      request={{ path: pathOf(fields), body: toBody(fields), file: sound?.name ?? 'speech.wav' }}
      settings={<Settings fields={fields} set={set} />}
      result={
        run.answer && (
          <TranscriptView
            transcript={run.answer}
            isBusy={run.state === 'running'}
            at={player.at}
            onSeek={player.seek}
          />
        )
      }
    >
      <SoundField sound={sound} onSound={take} />
      {sound && <Player sound={sound} {...player} />}
    </ServiceForm>
  );
}

async function listen(fields: Fields, sound: Sound, { send, show }: Tools<Transcript>): Promise<void> {
  const response = await send(pathOf(fields), toForm(fields, sound));
  for await (const event of answerEvents<TranscriptEvent>(response)) {
    show((transcript = NOTHING) => add(transcript, event));
  }
}

function Settings({ fields, set }: { fields: Fields; set: (part: Partial<Fields>) => void }) {
  const isTranslated = fields.task === 'translate';
  return (
    <>
      <ChoiceField
        label="Output"
        value={fields.task}
        options={[
          ['transcribe', 'A transcript'],
          ['translate', 'A translation into English'],
        ]}
        onChange={(task) => set({ task: task as Fields['task'] })}
      />
      {!isTranslated && (
        <LanguageField label="Language" value={fields.language} onChange={(language) => set({ language })} />
      )}
      <InputField
        label="Prompt"
        value={fields.prompt}
        onChange={(prompt) => set({ prompt })}
        hint="What came before, or how names are spelled."
      />
      <NumberField
        label="Temperature"
        value={fields.temperature}
        onChange={(temperature) => set({ temperature })}
        min={0}
        max={1}
        step={0.1}
      />
      {!isTranslated && (
        <CheckField label="Word timestamps" value={fields.words} onChange={(words) => set({ words })} />
      )}
    </>
  );
}
