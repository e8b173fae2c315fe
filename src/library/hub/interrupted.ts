/** A failure of the moment: the same request may work after a while. */
export class Interrupted extends Error {
  /** Where the other side said how long to wait. */
  readonly waitMs: number | undefined;

  constructor(message: string, options: { waitMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Interrupted';
    this.waitMs = options.waitMs;
  }
}
