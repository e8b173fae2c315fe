import type { FromImageGenerator, Order, ImageGeneratorLoad, ToImageGenerator } from './messages.ts';

/**
 * Runs in Bare, the only runtime that can load the library, in a separate process. Stdout belongs to the native
 * code's log; our own messages use a separate stream. It exits when its parent does.
 */
declare const Bare: { argv: string[] };

type Update = string | Uint8Array;
type Response = { onUpdate(listen: (update: Update) => void): Response; await(): Promise<unknown> };
type Model = {
  load(): Promise<void>;
  run(options: object): Promise<Response>;
  cancel(): Promise<void>;
};
type Input = {
  on(event: 'data', listen: (bytes: Uint8Array) => void): void;
  on(event: 'end', listen: () => void): void;
};

const OUT = 3;
const STDERR = 2;
/** The library delivers its log a little later than it writes it. */
const LOG_DELAY_MS = 200;
/** Errors, warnings and major steps; one level more would put prompts in the log. */
const VERBOSITY = 2;

const modules = Bare.argv[2] ?? '';
const fs = await open<{ writeSync(fd: number, text: string): void }>('bare-fs');
const os = await open<{
  pid(): number;
  kill(pid: number, signal: string): void;
  memoryUsage(): { rss: number };
}>('bare-os');
const Pipe = await open<new (fd: number) => Input>('bare-pipe');
const Library = await open<new (options: object) => Model>('@qvac/diffusion-cpp');
const logging = await open<{ setLogger(listen: (priority: number, line: string) => void): void }>(
  '@qvac/diffusion-cpp/addonLogging.js',
);
let model: Model | undefined;
let rest = Buffer.alloc(0);

logging.setLogger((_priority, line) => fs.writeSync(STDERR, `${line.trimEnd()}\n`));
const input = new Pipe(0);
input.on('data', (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
    receive(JSON.parse(rest.toString('utf8', 0, end)) as ToImageGenerator);
    rest = rest.subarray(end + 1);
  }
});
input.on('end', end);

async function open<Module>(name: string): Promise<Module> {
  const file = name.endsWith('.js') ? name : `${name}/index.js`;
  const path = `${modules}/${file}`.replaceAll('\\', '/');
  const loaded = (await import(`file://${path.startsWith('/') ? '' : '/'}${encodeURI(path)}`)) as {
    default: Module;
  };
  return loaded.default;
}

/** Its native threads prevent a clean exit. */
function end(): void {
  os.kill(os.pid(), 'SIGKILL');
}

function receive(message: ToImageGenerator): void {
  if (message.type === 'load') void load(message.load);
  if (message.type === 'draw') void draw(message.order);
  if (message.type === 'cancel') void model?.cancel();
}

async function load({ files, threads }: ImageGeneratorLoad): Promise<void> {
  const config = { threads, device: 'gpu', verbosity: VERBOSITY };
  model = new Library({ files, config, logger: null, opts: { stats: true } });
  try {
    await model.load();
    later(() => send({ type: 'loaded', memoryBytes: memoryBytes() }));
  } catch (error) {
    later(() => send({ type: 'load_failed', message: messageOf(error) }));
  }
}

async function draw(order: Order): Promise<void> {
  try {
    const response = await model?.run({
      prompt: order.prompt,
      negative_prompt: order.negativePrompt,
      width: order.width,
      height: order.height,
      steps: order.steps,
      cfg_scale: order.guidance,
      seed: order.seed,
      vae_tiling: order.isTiled,
    });
    let picture: Uint8Array | undefined;
    await response
      ?.onUpdate((update) => {
        if (typeof update !== 'string') picture = update;
        else
          send({
            type: 'step',
            step: (JSON.parse(update) as { step: number }).step,
            memoryBytes: memoryBytes(),
          });
      })
      .await();
    if (!picture) throw new Error('the library returned no image');
    send({ type: 'picture', data: toBase64(picture), memoryBytes: memoryBytes() });
  } catch (error) {
    const message = messageOf(error);
    send(/cancelled/i.test(message) ? { type: 'cancelled' } : { type: 'failed', message });
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function memoryBytes(): number {
  return os.memoryUsage().rss;
}

function later(work: () => void): void {
  // In two halves: on a busy machine, a due timer would run before the pending log.
  setTimeout(() => setTimeout(work, LOG_DELAY_MS / 2), LOG_DELAY_MS / 2);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function send(message: FromImageGenerator): void {
  fs.writeSync(OUT, `${JSON.stringify(message)}\n`);
}
