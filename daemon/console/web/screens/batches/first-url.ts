/** A first request with a picture can have some megabytes. */
const READ_MAX = 32 * 1024 * 1024;

/** The URL of the first request, which is that of all requests. */
export async function firstUrl(file: Blob): Promise<string> {
  const reader = file.slice(0, READ_MAX).stream().pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    text = (text + (value ?? '')).trimStart();
    const end = text.indexOf('\n');
    if (!done && end < 0) continue;
    await reader.cancel();
    return urlOf(end < 0 ? text : text.slice(0, end));
  }
}

function urlOf(line: string): string {
  try {
    const { url } = JSON.parse(line) as { url?: unknown };
    if (typeof url === 'string') return url;
  } catch {
    // The daemon's message says what a line must be.
  }
  throw new Error('The first line of this file is not a request. It must look like the example above.');
}
