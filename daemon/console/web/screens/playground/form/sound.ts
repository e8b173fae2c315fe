/** A sound on this page, with the URL from which it plays. */
export type Sound = { name: string; blob: Blob; address: string };

export function toSound(name: string, blob: Blob): Sound {
  return { name, blob, address: URL.createObjectURL(blob) };
}

export function release(sound: Sound | undefined): void {
  if (sound) URL.revokeObjectURL(sound.address);
}
