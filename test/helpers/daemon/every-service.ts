import { installImageModel, noiseImageModel } from '../models/pictures.ts';
import { scriptedModel } from '../models/models.ts';
import { toneSynthesizer } from '../models/speaking.ts';
import { toneTranscriber } from '../models/sounds.ts';
import { daemonWith } from './chat.ts';

/** A daemon with a model for each service: the starter models, and tiny ones of the real formats. */
export async function openEveryService() {
  const daemon = await daemonWith({
    translator: await scriptedModel('Bonjour le monde.'),
    listener: await toneTranscriber({ language: 'fr', showsAttention: true }),
    speaker: await toneSynthesizer(),
  });
  const { library } = daemon.services;
  installImageModel(daemon.services, await noiseImageModel());
  library.bind('svc-translate-v1', 'translator');
  library.bind('svc-whisper-v1', 'listener');
  library.bind('svc-stt-v1', 'listener');
  library.bind('svc-tts-v1', 'speaker');
  library.bind('svc-image-v1', 'painter');
  return daemon;
}
