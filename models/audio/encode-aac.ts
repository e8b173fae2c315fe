import type { SoundEncoder } from './sound-encoder.ts';

const BITRATE = 64_000;

/** AAC in ADTS. The encoder is under the MPL, so this runs only in runner processes. */
export async function openAacEncoder(rate: number): Promise<SoundEncoder> {
  const [{ AdtsOutputFormat, AudioSample, AudioSampleSource, Output, StreamTarget }, { registerAacEncoder }] =
    await Promise.all([import('mediabunny'), import('@mediabunny/aac-encoder')]);
  register(registerAacEncoder);
  const written: Uint8Array[] = [];
  const target = new StreamTarget(
    new WritableStream({ write: ({ data }: { data: Uint8Array }) => void written.push(data.slice()) }),
  );
  const output = new Output({ format: new AdtsOutputFormat(), target });
  const source = new AudioSampleSource({ codec: 'aac', bitrate: BITRATE });
  output.addAudioTrack(source);
  await output.start();
  let count = 0;
  const take = () => Buffer.concat(written.splice(0));
  return {
    async push(samples) {
      if (samples.length === 0) return take();
      const sample = new AudioSample({
        ...{ data: samples.slice(), format: 'f32-planar', numberOfChannels: 1, sampleRate: rate },
        timestamp: count / rate,
      });
      count += samples.length;
      await source.add(sample);
      sample.close();
      return take();
    },
    async end() {
      await output.finalize();
      return take();
    },
  };
}

let isRegistered = false;

function register(registerEncoder: () => void): void {
  if (!isRegistered) registerEncoder();
  isRegistered = true;
}
