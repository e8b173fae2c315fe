/** Encodes mono audio as it is produced. */
export type SoundEncoder = {
  push(samples: Float32Array): Promise<Uint8Array>;
  /** Flushes the encoder. */
  end(): Promise<Uint8Array>;
};
