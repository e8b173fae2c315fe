/** Encodes one channel of sound as it comes. */
export type SoundEncoder = {
  push(samples: Float32Array): Promise<Uint8Array>;
  /** The last bytes. */
  end(): Promise<Uint8Array>;
};
