export const INSECURE =
  'Browsers let a page use the microphone only if it comes from this machine or over HTTPS. ' +
  'Open the console on the daemon’s machine, or set tls_cert and tls_key.';

const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError:
    'The browser does not let this page use the microphone. Allow it in the settings of this site, beside its address, and record again.',
  NotFoundError: 'This machine has no microphone. Connect one, or choose a file.',
  NotReadableError: 'Another program is using the microphone. Close it, and record again.',
};

export function explain({ name, message }: Pick<Error, 'name' | 'message'>): string {
  return REASONS[name] ?? `The microphone cannot be used: ${message}`;
}

/** Named by the recorded format, for servers that look at file names. */
export function nameOf({ type }: Pick<Blob, 'type'>): string {
  const extension = /^audio\/(webm|ogg|mp4)/.exec(type)?.[1] ?? 'webm';
  return `recording.${extension}`;
}
