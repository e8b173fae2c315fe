import { explain, INSECURE } from './microphone.ts';

export type Recording = { stop: () => Promise<Blob> };

export async function startRecording(): Promise<Recording> {
  if (!('mediaDevices' in navigator)) throw new Error(INSECURE);
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: Error) => {
    throw new Error(explain(error));
  });
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise<Blob>((resolve) => {
    recorder.onstop = () => resolve(new Blob(parts, { type: recorder.mimeType }));
  });
  recorder.start();
  return {
    stop() {
      recorder.stop();
      for (const track of stream.getTracks()) track.stop();
      return ended;
    },
  };
}
