import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const READ_MS_MAX = 10_000;
/** The first question also waits until the model is loaded. */
const CHAT_MS_MAX = 5 * 60_000;

/**
 * The key stored by an earlier start if it still works, otherwise a new one, stored where only its owner can read it.
 */
export async function workingKey({ file, works, create }) {
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (kept !== '' && (await works(kept))) return kept;
  const key = await create();
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return key;
}

/** The model's record, or nothing if the key does not open it. */
export async function readModel(baseUrl, key, id) {
  const response = await fetch(`${baseUrl}/models/${id}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(READ_MS_MAX),
  });
  return response.ok ? response.json() : undefined;
}

/** Yields the answer's text as the model writes it, without anything that could control the terminal. */
export async function* streamChat(baseUrl, key, { model, question }) {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      stream: true,
      max_tokens: 256,
      messages: [{ role: 'user', content: question }],
    }),
    signal: AbortSignal.timeout(CHAT_MS_MAX),
  });
  if (!response.ok)
    throw new Error(`The chat was refused (${response.status}): ${await messageIn(response)}`);
  for await (const data of eventsOf(response.body)) {
    if (data === '[DONE]') return;
    const chunk = JSON.parse(data);
    if (chunk.error) throw new Error(`\nThe answer broke off: ${chunk.error.message}`);
    yield (chunk.choices[0]?.delta.content ?? '').replace(/[^\P{Cc}\n\t]/gu, '');
  }
  throw new Error('\nThe answer broke off before its end. Start afresh: npx askd down && npm start');
}

/** The data of each server-sent event. */
async function* eventsOf(body) {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length).trimEnd();
  }
}

async function messageIn(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error.message;
  } catch {
    return text;
  }
}
