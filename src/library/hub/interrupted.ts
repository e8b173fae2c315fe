/** A temporary failure: the same request may work later. */
export class Interrupted extends Error {
  /** How long to wait, if the server said so. */
  readonly waitMs: number | undefined;

  constructor(message: string, options: { waitMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Interrupted';
    this.waitMs = options.waitMs;
  }
}
