// The key stays in this tab. Do not publish a page with your key in it.
const form = document.querySelector('form');
const [steps, answer, sources, error] = ['steps', 'answer', 'sources', 'error'].map((id) =>
  document.getElementById(id),
);

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  for (const element of [steps, answer, sources, error]) element.replaceChildren();
  const { baseURL, key, question } = form.elements;
  try {
    for await (const each of ask(baseURL.value, key.value, question.value)) show(each);
  } catch (problem) {
    error.textContent = problem.message;
  }
});

/** Yields the events of one run. EventSource could not send the key in a header, so this is fetch. */
async function* ask(baseURL, key, query) {
  const address = `${baseURL}/agent/stream?${new URLSearchParams({ query, tokens: 'true' })}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } }).catch(() => {
    const command = `npx askd config add allowed_origins ${location.origin} && npx askd restart`;
    throw new Error(`No answer from ${baseURL}. If askd runs there, let this page call it: ${command}`);
  });
  if (!response.ok) throw new Error((await response.json()).error.message);
  let rest = '';
  for await (const text of piecesOf(response.body.pipeThrough(new TextDecoderStream()))) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (line.startsWith('data: {')) yield JSON.parse(line.slice('data: '.length));
    }
  }
}

/** Not every browser iterates over a stream. */
async function* piecesOf(stream) {
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

function show(event) {
  if (event.type === 'step') addItem(steps, event.message);
  if (event.type === 'tool' && event.status !== 'start') {
    addItem(steps, `${event.name}: ${event.status}, ${event.detail ?? ''}`);
  }
  if (event.type === 'token') answer.append(event.delta);
  if (event.type === 'error') error.textContent = event.message;
  if (event.type === 'done') showResult(event);
}

/** The finished answer replaces the pieces: its citations have been checked by now. */
function showResult({ answer: text, sources: cited, citations }) {
  answer.textContent = text;
  for (const { n, title } of cited) {
    const quotes = citations.filter((each) => each.n === n).map(({ quote }) => `“${quote}”`);
    addItem(sources, [title, ...quotes].join(' ')).value = n;
  }
}

function addItem(list, text) {
  const item = document.createElement('li');
  item.textContent = text;
  list.append(item);
  return item;
}
