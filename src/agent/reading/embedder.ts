import type { Embed } from '../../inference/embed.ts';
import type { TaskContext } from '../../inference/items.ts';

export type EmbedderContext = TaskContext;

export type Embedder = {
  /** The artifact that computes the vectors; undefined when none is installed. */
  model(): string | undefined;
  /** Whether it is loaded, so that using it costs no load. */
  isLoaded(): boolean;
  embed(texts: readonly string[], context: EmbedderContext): Promise<Float32Array[]>;
};

const EMBED_SERVICE = 'svc-embed-v1';

/** Vectors for search, metered like any request. Each request of a run has its own number. */
export function createEmbedder({
  embed,
  artifactOf,
  isLoaded,
}: {
  embed: Embed;
  artifactOf: (service: string) => string | undefined;
  isLoaded: (artifact: string) => boolean;
}): Embedder {
  const model = () => artifactOf(EMBED_SERVICE);
  let serial = 0;
  return {
    model,
    isLoaded() {
      const artifact = model();
      return artifact !== undefined && isLoaded(artifact);
    },
    async embed(texts, context) {
      const requestId = `${context.requestId}.e${(serial += 1)}`;
      // A passage without tokens that the model knows is found by keywords instead.
      const { vectors } = await embed.embed(
        { model: EMBED_SERVICE, inputs: texts, zerosAllowed: true },
        { ...context, requestId },
      );
      return [...vectors];
    },
  };
}
