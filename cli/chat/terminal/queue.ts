export type Message = { text: string; shown: string };
/** Undefined means that there will be no more. */
export type Sent = Message | undefined;

/** Messages that wait for their turn. After a stop, they wait until the user sends something again. */
export function createQueue(signal: AbortSignal, onTaken: (message: Message) => void) {
  const messages: Message[] = [];
  let isHeld = false;
  let isOver = false;
  let waiting: ((sent: Sent) => void) | undefined;

  function deliver(): void {
    if (waiting === undefined || isHeld) return;
    const message = isOver ? undefined : messages.shift();
    if (message === undefined && !isOver) return;
    const give = waiting;
    waiting = undefined;
    if (message) onTaken(message);
    give(message);
  }

  return {
    texts: () => messages.map(({ shown }) => shown),
    isHeld: () => isHeld && messages.length > 0,
    /** A message sent after a stop goes before the waiting ones; an empty message only lets those continue. */
    add(message: Message): void {
      if (message.text !== '') {
        if (isHeld) messages.unshift(message);
        else messages.push(message);
      }
      isHeld = false;
      deliver();
    },
    hold: () => void (isHeld = messages.length > 0),
    takeLast: () => messages.pop(),
    end(): void {
      isOver = true;
      isHeld = false;
      deliver();
    },
    next: () =>
      new Promise<Sent>((resolve, reject) => {
        signal.throwIfAborted();
        const abort = () => reject(signal.reason as Error);
        signal.addEventListener('abort', abort, { once: true });
        waiting = (sent) => {
          signal.removeEventListener('abort', abort);
          resolve(sent);
        };
        deliver();
      }),
  };
}
