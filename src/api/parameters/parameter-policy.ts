/**
 * How an endpoint treats parameters that its schema does not list; those in the schema are honoured. Paths are
 * written as `text.verbosity` or `messages[].content[].cache_control`.
 */
export type ParameterPolicy = {
  /** Accepted, and named in `x-askd-ignored`: storage, caching, routing and telemetry of a hosted provider. */
  withoutEffect: readonly string[];
  /** Rejected: they would change the answer and cannot be honoured. */
  refused?: Readonly<Record<string, Refusal>>;
};

export type Refusal = {
  /** A sentence that says what to do instead. */
  instead: string;
  /** Values that request the default behaviour: they are accepted without effect. */
  except?: readonly unknown[];
};
