/**
 * What becomes of the parameters that clients send to an endpoint beside those in its schema, which are honoured. Paths
 * are written as `text.verbosity` or `messages[].content[].cache_control`.
 */
export type ParameterPolicy = {
  /** Accepted, and named in `x-askd-ignored`: storage, caching, routing and telemetry of a hosted provider. */
  withoutEffect: readonly string[];
  /** Would change the answer and cannot be done. */
  refused?: Readonly<Record<string, Refusal>>;
};

export type Refusal = {
  /** A sentence that says what to do instead. */
  instead: string;
  /** Values that ask for what happens anyway: they are accepted without effect. */
  except?: readonly unknown[];
};
