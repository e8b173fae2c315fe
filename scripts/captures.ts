import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { captureConsole } from './captures/console.ts';
import { DOCUMENTS, LONG_QUESTION } from './captures/documents.ts';
import { writeHistory } from './captures/history.ts';
import { animate } from './captures/recordings/animate.ts';
import { fromCleared, recordPty, toAsciicast, type Cast } from './captures/recordings/cast.ts';
import { reader } from './captures/reader.ts';
import { toSvg } from './captures/svg.ts';
import { openPty, type Pty } from './terminal/pty.ts';

const run = promisify(execFile);

/** From dist/scripts, where this file runs. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASKD = path.join(ROOT, 'bin', 'askd.js');
const PICTURES = path.join(ROOT, 'scripts', 'captures');
const CHAT_SIZE = { columns: 92, rows: 40 };
const SIZE = { columns: 112, rows: 32 };
const TIMEOUT_MS = 120_000;
/** Questions that a small model answers well. */
const QUESTIONS = [
  'How do I create an API key?',
  'how do I add a webhook?',
  'how can I see which models are loaded?',
];
/** Images stay small, so that a page over a slow connection does not wait for them. */
const BYTES_MAX = 60_000;
const SESSION_BYTES_MAX = 200_000;
/** Long enough for the graphs to have something to show. */
const TRAFFIC_MS = 25_000;
const SETTLED_MS = 1500;
const SCREENS = ['Chat', 'Overview', 'Models', 'Keys', 'Wallet', 'Webhooks', 'Agent', 'Logs'];
const STEP_MS = 200;
/** The time between two keys of a person. */
const KEY_MS = 60;
const ROWS_MAX = 20;

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  sessions,
  dashboard: () => besideTraffic(dashboard),
  console: () => besideTraffic(browser),
};

/** Always the same, since the pictures show paths in it. It must not exist beforehand. */
const folder = path.join(tmpdir(), 'askd-home');
await mkdir(folder);
const env: Record<string, string> = { ASKD_HOME: path.join(folder, 'home'), ASKD_PORT: '0', HOME: folder };
const receiver = createServer((_request, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
try {
  await once(receiver, 'listening');
  await prepare();
  // `npm run docs:captures -- console` makes only those of the browser.
  const wanted = process.argv.slice(2);
  for (const [part, make] of Object.entries(PARTS))
    if (wanted.length === 0 || wanted.includes(part)) await make();
} finally {
  await askd('down').catch(() => undefined);
  for (const server of [receiver, reader]) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true, force: true });
}

async function askd(...args: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [ASKD, ...args, '--json'], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout) as unknown;
}

/** An installation with some activity to show. */
async function prepare(): Promise<void> {
  const notes = path.join(folder, 'notes');
  await mkdir(notes);
  await mkdir(env['ASKD_HOME'] ?? '');
  for (const [name, text] of Object.entries(DOCUMENTS)) await writeFile(path.join(notes, name), text);
  const settings = { webhooks_allow_cidrs: ['127.0.0.0/8'] };
  await writeFile(path.join(env['ASKD_HOME'] ?? '', 'config.json'), JSON.stringify(settings));
  await askd('up');
  await askd('docs', 'add', notes);
  await once(reader.listen(0, '127.0.0.1'), 'listening');
  const { port: upstream } = reader.address() as AddressInfo;
  const url = `http://127.0.0.1:${upstream}/v1`;
  await askd('upstream', 'add', 'larger-model', '--url', url, '--model', 'larger-model', '--task', 'chat');
  const { id } = (await askd('keys', 'create', '--name', 'shop-assistant', '--scopes', 'chat')) as {
    id: string;
  };
  writeHistory(env['ASKD_HOME'] ?? '', 'acct_local', id);
  const { port } = receiver.address() as AddressInfo;
  const hook = `http://127.0.0.1:${port}/hook`;
  await askd('webhooks', 'add', hook, '--events', 'chat.completed,api_key.created', '--name', 'my-app');
}

/** Before the dashboard, which shows what they leave behind. */
async function sessions(): Promise<void> {
  await conversation();
  await command('agent', `askd agent -m larger-model "${LONG_QUESTION}"`);
}

async function conversation(): Promise<void> {
  const pty = openPty(`sh ${await shellScript('chat', 'askd chat --temperature 0')}`, CHAT_SIZE, env);
  const endRecording = recordPty(pty);
  await talk(pty);
  await save(pty, 'chat', 'askd chat');
  await saveSession('chat', endRecording(), 'askd chat');
  pty.end();
}

/** Types the questions, each when the previous answer is complete. */
async function talk(pty: Pty): Promise<void> {
  for (const [index, question] of QUESTIONS.entries()) {
    await until(pty, () => isAnswered(pty, index));
    await sleep(SETTLED_MS);
    await typeSlowly(pty, question);
  }
  await until(pty, () => isAnswered(pty, QUESTIONS.length));
}

async function typeSlowly(pty: Pty, text: string): Promise<void> {
  for (const character of `${text}\r`) {
    pty.type(character);
    await sleep(KEY_MS);
  }
}

/** One prompt per question, and the next one, which is also shown while an answer arrives. */
function isAnswered(pty: Pty, questions: number): boolean {
  const text = pty.text();
  return text.match(/^>>>/gm)?.length === questions + 1 && !text.includes('Esc stops');
}

/** A command as a person would type it, with all its output. */
async function command(name: string, line: string): Promise<void> {
  const pty = openPty(`sh ${await shellScript(name, line)}`, CHAT_SIZE, env);
  const endRecording = recordPty(pty);
  await until(pty, () => pty.output().includes('\u001b]0;over'));
  await save(pty, name, line);
  await saveSession(name, endRecording(), line);
  pty.end();
}

async function shellScript(name: string, line: string): Promise<string> {
  const script = path.join(folder, `${name}.sh`);
  const typed = line.replaceAll('"', '\\"');
  await writeFile(
    script,
    `askd() { ${process.execPath} ${ASKD} "$@"; }\nclear\nprintf '%s\\n' "$ ${typed}"\n${line}\nprintf '\\033]0;over\\007'\nread -r _\n`,
  );
  return script;
}

/** Programs that use the daemon in the meantime. */
async function besideTraffic(work: () => Promise<void>): Promise<void> {
  const { key } = (await askd('keys', 'create', '--name', 'laptop')) as { key: string };
  const { base_url: baseUrl } = (await askd('status')) as { base_url: string };
  const stop = new AbortController();
  const busy = traffic(baseUrl, key, stop.signal);
  try {
    await work();
  } finally {
    stop.abort();
    await busy;
  }
}

async function dashboard(): Promise<void> {
  // Its first screen has a conversation.
  const chat = openPty(`${process.execPath} ${ASKD} chat --temperature 0`, CHAT_SIZE, env);
  await talk(chat);
  chat.end();
  const pty = openPty(`${process.execPath} ${ASKD} tui`, SIZE, env);
  try {
    await until(pty, () => pty.text().includes('up '));
    await sleep(TRAFFIC_MS);
    await screens(pty);
  } finally {
    pty.end();
  }
}

async function browser(): Promise<void> {
  const { login_url: link } = (await askd('dashboard', '--no-open')) as { login_url: string };
  const agent = { question: LONG_QUESTION, model: 'larger-model' };
  await captureConsole({ root: ROOT, pictures: PICTURES, link, question: QUESTIONS[0] ?? '', agent });
}

async function screens(pty: Pty): Promise<void> {
  for (const [index, title] of SCREENS.entries()) {
    pty.type(String(index + 1));
    await until(pty, () => pty.text().includes(`[${index + 1} ${title}]`));
    // The screen's data arrives a moment later.
    await sleep(SETTLED_MS);
    if (title === 'Chat') await openConversation(pty);
    if (title === 'Models') await chooseDownload(pty);
    if (title === 'Agent') await askSideBySide(pty);
    await save(pty, `tui-${title.toLowerCase()}`, `askd tui: ${title.toLowerCase()}`);
  }
}

async function openConversation(pty: Pty): Promise<void> {
  pty.type('\t');
  await sleep(STEP_MS);
  pty.type('j');
  await until(pty, () => pty.text().includes('askd webhooks'));
  await sleep(SETTLED_MS);
}

/** Runs that another program started at the same time. */
async function askSideBySide(pty: Pty): Promise<void> {
  const questions = [LONG_QUESTION, 'What do the notes say about the harbour bridge?'];
  await Promise.all(questions.map((each) => askd('agent', '-m', 'larger-model', each)));
  pty.type('\r');
  await until(pty, () => pty.text().match(/Sources/g)?.length === questions.length);
  await sleep(SETTLED_MS);
}

/** What can be downloaded is more informative than what is here, whose path is specific to this machine. */
async function chooseDownload(pty: Pty): Promise<void> {
  pty.type('a');
  for (let row = 0; row < ROWS_MAX && !/▸ \S+ +available/.test(pty.text()); row++) {
    await sleep(STEP_MS);
    pty.type('j');
  }
  await sleep(SETTLED_MS);
}

async function traffic(baseUrl: string, key: string, stop: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let round = 1; !stop.aborted; round++) {
    const messages = [{ role: 'user', content: `Question ${round}` }];
    const body = JSON.stringify({ model: 'svc-chat-v1', messages, max_tokens: 20 + 40 * (round % 4) });
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
    await response.text();
    await sleep(400);
  }
}

async function until(pty: Pty, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!condition()) {
    if (performance.now() > deadline)
      throw new Error(`It did not come to what was waited for:\n${pty.text()}`);
    await sleep(50);
  }
}

/** An image for the page, and its text for reviewing. */
async function save(pty: Pty, name: string, title: string): Promise<void> {
  const text = pty.text();
  const picture = toSvg(pty.screen, title);
  refusePlaces(name, picture, text);
  if (picture.length > BYTES_MAX) throw new Error(`${name}.svg has ${picture.length} bytes.`);
  await writeFile(path.join(PICTURES, `${name}.svg`), picture);
  console.log(`${name}.svg (${picture.length} bytes)\n${text.replace(/^/gm, '  ')}\n`);
}

/** The recording, and the animation made from it. */
async function saveSession(name: string, cast: Cast, title: string): Promise<void> {
  const text = toAsciicast(fromCleared(cast), title);
  const picture = await animate(text);
  refusePlaces(name, picture, text);
  if (picture.length > SESSION_BYTES_MAX) throw new Error(`${name}.svg has ${picture.length} bytes.`);
  await writeFile(path.join(PICTURES, 'recordings', `${name}.cast`), text);
  await writeFile(path.join(PICTURES, 'recordings', `${name}.svg`), picture);
  console.log(`recordings/${name}.svg (${picture.length} bytes)`);
}

/** The path of this checkout means nothing to readers. */
function refusePlaces(name: string, picture: string, text: string): void {
  const place = ROOT.replace(/\/$/, '');
  if (picture.includes(place)) throw new Error(`${name}.svg shows ${place}.\n${text}`);
}
