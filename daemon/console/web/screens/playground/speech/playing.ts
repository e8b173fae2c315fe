import { joined, RAW, readHead, toSamples, type SampleFormat } from './pcm.ts';

/** Plays a sound while it is still arriving. */
export type Playing = { push: (bytes: Uint8Array<ArrayBuffer>) => void; end: () => void; stop: () => void };

const SILENT: Playing = { push: () => undefined, end: () => undefined, stop: () => undefined };
const COMPRESSED: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', aac: 'audio/aac' };
/** Keeps the first piece from ending before the second arrives. */
const AHEAD_SECONDS = 0.1;

/** Formats that this browser plays only as a whole stay silent until then. */
export function startPlaying(format: string): Playing {
  if (format === 'wav' || format === 'pcm') return playSamples(format === 'pcm' ? RAW : undefined);
  const type = COMPRESSED[format];
  if (type === undefined || !('MediaSource' in window) || !MediaSource.isTypeSupported(type)) return SILENT;
  return playSource(type);
}

function playSamples(known: SampleFormat | undefined): Playing {
  const context = new AudioContext();
  let format = known;
  let waiting = new Uint8Array();
  let next = 0;
  return {
    push(bytes) {
      waiting = joined(waiting, bytes);
      if (!format) {
        const head = readHead(waiting);
        if (!head) return;
        format = head.format;
        waiting = waiting.slice(head.samplesAt);
      }
      const { samples, rest } = toSamples(waiting);
      waiting = rest.slice();
      if (samples.length > 0) schedule(samples, format);
    },
    end: () => undefined,
    stop: () => {
      if (context.state !== 'closed') void context.close();
    },
  };

  function schedule(samples: Float32Array<ArrayBuffer>, { rate }: SampleFormat): void {
    const buffer = context.createBuffer(1, samples.length, rate);
    buffer.copyToChannel(samples, 0);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    next = Math.max(next, context.currentTime + AHEAD_SECONDS);
    source.start(next);
    next += buffer.duration;
  }
}

function playSource(type: string): Playing {
  const source = new MediaSource();
  const address = URL.createObjectURL(source);
  const audio = new Audio(address);
  const waiting: Uint8Array<ArrayBuffer>[] = [];
  let target: SourceBuffer | undefined;
  let isComplete = false;

  function feed(): void {
    if (!target || target.updating || source.readyState !== 'open') return;
    const bytes = waiting.shift();
    if (bytes) target.appendBuffer(bytes);
    else if (isComplete) source.endOfStream();
  }

  source.addEventListener('sourceopen', () => {
    target = source.addSourceBuffer(type);
    target.addEventListener('updateend', feed);
    feed();
  });
  // A browser that does not allow autoplay still has the whole sound at the end.
  audio.play().catch(() => undefined);
  return {
    push(bytes) {
      waiting.push(bytes);
      feed();
    },
    end() {
      isComplete = true;
      feed();
    },
    stop() {
      audio.pause();
      audio.removeAttribute('src');
      URL.revokeObjectURL(address);
    },
  };
}
